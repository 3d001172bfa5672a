#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <shardplan/schedule/simulated_step.hpp>

/// A step as an SVG picture: a row for each device, its memory below it, and the time axis.
namespace shardplan::schedule {

struct svg_options {
  std::string title = {};
  /// What stands behind numbers of the time axis, and how many of it one unit of the simulation is.
  std::string time_unit = "s";
  double time_scale = 1;
  /// Width of the chart, in px. Labels of passes narrower than 6 px are left out.
  double width = 1200;
  /// Draw the memory curves.
  bool memory = true;
};

namespace detail {

class svg_writer {
 public:
  svg_writer(simulated_step const& step, svg_options const& options)
      : step_(step), options_(options), devices_(step.first_task.size()) {
    bool const any_memory =
        std::any_of(step.peak_bytes.begin(), step.peak_bytes.end(), [](double each) { return each > 0; });
    memory_ = options.memory && any_memory;
    row_ = memory_ ? 48 : 24;
    for (double const each : step.peak_bytes)
      most_ = std::max(most_, each);
    scale_ = step.makespan > 0 ? options.width / step.makespan : 0;
    if (!std::isfinite(scale_))
      scale_ = 0;
  }

  std::string write() {
    double const height = top + static_cast<double>(devices_) * row_ + 46;
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" "
        "font-size=\"9\">\n",
        left + options_.width + 70, height);
    text_ += "<style>.f{fill:#4e79a7}.f2{fill:#76a5d0}.b{fill:#59a14f}.i{fill:#59a14f}.w{fill:#b6d7a8}.r{fill:#f28e2b}"
             ".m{fill:#d9d9d9;stroke:#8c8c8c;stroke-width:.5}.l{fill:#fff;text-anchor:middle}.k{fill:#fff}"
             ".p{fill:none;stroke:#e15759;stroke-width:1}.a{stroke:#bbb;stroke-width:.5}</style>\n";
    put("<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/><text x=\"%.0f\" y=\"14\" font-size=\"13\">", left);
    text_ += escaped(options_.title);
    text_ += "</text>\n";
    axis();
    for (std::size_t device = 0; device < devices_; ++device)
      row(device);
    critical_path();
    legend(height);
    text_ += "</svg>\n";
    return std::move(text_);
  }

 private:
  static constexpr double left = 60, top = 24, bar = 18;

  template <class... Values> void put(const char* format, Values... values) {
    char buffer[512];
    int const length = std::snprintf(buffer, sizeof buffer, format, values...);
    text_.append(buffer, std::min(static_cast<std::size_t>(std::max(length, 0)), sizeof buffer - 1));
  }
  /// A coordinate with one decimal, as short as it can be written.
  static std::string number(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.1f", value);
    std::string result = buffer;
    if (result.size() > 2 && result.compare(result.size() - 2, 2, ".0") == 0)
      result.resize(result.size() - 2);
    return result == "-0" ? "0" : result;
  }
  static std::string escaped(std::string_view raw) {
    std::string result;
    for (char const each : raw)
      result += each == '<' ? "&lt;" : each == '&' ? "&amp;" : each == '>' ? "&gt;" : std::string(1, each);
    return result;
  }
  double x(double time) const { return left + time * scale_; }

  void axis() {
    double const bottom = top + static_cast<double>(devices_) * row_;
    double const whole = step_.makespan * options_.time_scale;
    double const unit = std::pow(10.0, std::floor(std::log10(std::max(whole, 1e-300) / 5)));
    double const mark = whole / unit > 25 ? 5 * unit : whole / unit > 10 ? 2 * unit : unit;
    for (double at = 0; whole > 0 && at <= whole * (1 + 1e-9); at += mark) {
      double const place = x(at / options_.time_scale);
      put("<path class=\"a\" d=\"M%.1f %.0fV%.0f\"/><text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%g%s</text>\n",
          place, top, bottom + 3, place, bottom + 13, std::round(at / mark) * mark,
          at == 0 || options_.time_unit.empty() ? "" : (" " + escaped(options_.time_unit).substr(0, 40)).c_str());
    }
  }

  void row(std::size_t device) {
    double const y = top + static_cast<double>(device) * row_;
    put("<text x=\"4\" y=\"%.0f\">device %zu</text>\n", y + 13, device);
    // One path for each kind of pass: a picture of thousands of passes stays small.
    std::array<std::string, 5> bars;
    std::string labels;
    std::size_t const last = device + 1 < devices_ ? step_.first_task[device + 1] : step_.tasks.size();
    auto const devices = static_cast<int>(devices_);
    for (std::size_t index = step_.first_task[device]; index < last; ++index) {
      ran_task const& ran = step_.tasks[index];
      double begin = ran.begin, end = ran.end;
      // Of two joined passes each gets half of the bar's height.
      bool const first = ran.what.joined,
                 second = index > step_.first_task[device] && step_.tasks[index - 1].what.joined;
      double const height = first || second ? bar / 2 : bar;
      double const from = y + 2 + (second ? bar / 2 : 0);
      double const width = (end - begin) * scale_;
      if (!(width > 0))
        continue;
      std::size_t const kind = ran.what.kind == pass::forward           ? (ran.what.chunk >= devices ? 1u : 0u)
                               : ran.what.kind == pass::weight_gradient ? 4u
                               : ran.what.kind == pass::backward        ? 2u
                                                                        : 3u;
      std::string const w = number(std::max(width - (width > 4 ? 0.6 : 0), 0.1)), h = number(height);
      bars[kind] += "M" + number(x(begin)) + " " + number(from) + "h" + w + "v" + h + "h-" + w + "z";
      std::string const label = std::to_string(ran.what.micro_batch);
      if (width >= 6 && width >= 5.2 * static_cast<double>(label.size()))
        labels += "<text x=\"" + number(x(begin) + width / 2) + "\" y=\"" + number(from + height / 2 + 3) + "\">" +
                  label + "</text>";
    }
    constexpr const char* classes[] = {"f", "f2", "b", "i", "w"};
    for (std::size_t kind = 0; kind < bars.size(); ++kind)
      if (!bars[kind].empty())
        text_ += "<path class=\"" + std::string(classes[kind]) + "\" d=\"" + bars[kind] + "\"/>\n";
    std::string reductions;
    for (ran_transfer const& each : step_.transfers)
      if (each.what == activity::gradient_reduction && each.from == static_cast<int>(device))
        reductions += "M" + number(x(each.begin)) + " " + number(y + 2 + bar) + "h" +
                      number(std::max((each.end - each.begin) * scale_, 0.1)) + "v3h-" +
                      number(std::max((each.end - each.begin) * scale_, 0.1)) + "z";
    if (!reductions.empty())
      text_ += "<path class=\"r\" d=\"" + reductions + "\"/>\n";
    if (!labels.empty())
      text_ += "<g class=\"l\">" + labels + "</g>\n";
    if (memory_)
      memory(device, y + bar + 6);
  }

  void memory(std::size_t device, double y) {
    constexpr double height = 20;
    auto const level = [&](double bytes) { return y + height * (1 - bytes / most_); };
    std::string curve = "M" + number(x(0)) + " " + number(y + height);
    double last_x = -1, high = 0;
    // Points that share a pixel are drawn as the highest of them.
    for (memory_point const& each : step_.memory[device]) {
      double const place = x(each.time);
      if (place - last_x < 0.5) {
        high = std::max(high, each.bytes);
        continue;
      }
      if (last_x >= 0)
        curve += "V" + number(level(high));
      curve += "H" + number(place);
      last_x = place;
      high = each.bytes;
    }
    curve += "V" + number(level(high)) + "H" + number(x(step_.makespan)) + "V" + number(y + height) + "z";
    text_ += "<path class=\"m\" d=\"" + curve + "\"/>";
    put("<text x=\"%.0f\" y=\"%.0f\">%s</text>\n", left + options_.width + 4, y + 8,
        bytes_text(step_.peak_bytes[device]).c_str());
  }
  static std::string bytes_text(double bytes) {
    char buffer[40];
    if (bytes >= 1 << 27)
      std::snprintf(buffer, sizeof buffer, "%.1f GiB", bytes / (1 << 30));
    else if (bytes >= 1 << 17)
      std::snprintf(buffer, sizeof buffer, "%.1f MiB", bytes / (1 << 20));
    else
      std::snprintf(buffer, sizeof buffer, "%g", bytes);
    return buffer;
  }

  /// A line along the devices and times that decide how long the step is.
  void critical_path() {
    if (step_.critical_path.empty())
      return;
    std::string line;
    for (path_piece const& each : step_.critical_path) {
      double const y = top + each.device * row_ + 2 + bar + 1.5;
      line += (line.empty() ? "M" : "L") + number(x(each.begin)) + " " + number(y);
      line += "H" + number(x(each.end));
    }
    text_ += "<path class=\"p\" d=\"" + line + "\"/>\n";
  }

  void legend(double height) {
    struct entry {
      const char* style;
      const char* words;
    };
    constexpr entry entries[] = {
        {"f", "forward"},         {"f2", "forward, later chunks"}, {"b", "backward / input gradient"},
        {"w", "weight gradient"}, {"r", "gradient reduction"},     {"m", "memory"}};
    double at = left;
    for (entry const& each : entries) {
      put("<rect class=\"%s\" x=\"%.0f\" y=\"%.0f\" width=\"10\" height=\"10\"/><text x=\"%.0f\" y=\"%.0f\">%s</text>",
          each.style, at, height - 22, at + 14, height - 13, each.words);
      at += 24 + 5.5 * static_cast<double>(std::string_view(each.words).size());
    }
    put("<path class=\"p\" d=\"M%.0f %.0fh14\"/><text x=\"%.0f\" y=\"%.0f\">critical path</text>\n", at, height - 17,
        at + 18, height - 13);
  }

  simulated_step const& step_;
  svg_options const& options_;
  std::size_t devices_;
  double scale_ = 0, row_ = 0, most_ = 0;
  bool memory_ = false;
  std::string text_;
};

}  // namespace detail

/// The picture of a simulated step.
inline std::string svg_gantt(simulated_step const& step, svg_options const& options = {}) {
  return detail::svg_writer{step, options}.write();
}

}  // namespace shardplan::schedule
