#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <shardplan/schedule/simulated_step.hpp>

/// A step in characters, for terminals.
namespace shardplan::schedule {

/// One line for each device, `columns` wide: a digit for a forward pass, a letter for a backward pass (the last digit
/// of the micro-batch, a for 0), a comma for a weight gradient, a blank where nothing runs. Each character shows what
/// takes most of its time.
inline std::string text_gantt(simulated_step const& step, std::size_t columns = 100) {
  std::string text;
  columns = std::max<std::size_t>(columns, 1);
  std::size_t const devices = step.first_task.size();
  std::string const name = "device ";
  std::size_t const digits = std::to_string(devices > 0 ? devices - 1 : 0).size();
  double const cell = step.makespan / static_cast<double>(columns);
  for (std::size_t device = 0; device < devices; ++device) {
    std::string line(columns, ' ');
    std::vector<double> most(columns, 0.5 * cell);
    std::size_t const last = device + 1 < devices ? step.first_task[device + 1] : step.tasks.size();
    for (std::size_t index = step.first_task[device]; index < last; ++index) {
      ran_task const& ran = step.tasks[index];
      double begin = ran.begin, end = ran.end;
      // Of two joined passes one takes the first half, the other the second.
      if (ran.what.joined)
        end = begin + (end - begin) / 2;
      else if (index > step.first_task[device] && step.tasks[index - 1].what.joined)
        begin += (end - begin) / 2;
      int const digit = ran.what.micro_batch % 10;
      char const sign = ran.what.kind == pass::forward           ? static_cast<char>('0' + digit)
                        : ran.what.kind == pass::weight_gradient ? ','
                                                                 : static_cast<char>('a' + digit);
      if (!(end > begin) || !(cell > 0))
        continue;
      auto const from = std::min(columns - 1, static_cast<std::size_t>(begin / cell));
      auto const to = std::min(columns - 1, static_cast<std::size_t>(end / cell));
      for (std::size_t column = from; column <= to; ++column) {
        double const low = std::max(begin, static_cast<double>(column) * cell);
        double const high = std::min(end, static_cast<double>(column + 1) * cell);
        if (high - low >= most[column] * (1 - 1e-12)) {
          most[column] = high - low;
          line[column] = sign;
        }
      }
    }
    std::string number = std::to_string(device);
    number.insert(0, digits - number.size(), ' ');
    text += name + number + " |" + line + "|\n";
  }
  return text;
}

}  // namespace shardplan::schedule
