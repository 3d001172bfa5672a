#pragma once
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>

#include <unistd.h>

#include <shardplan/io/lp_file.hpp>
#include <shardplan/search/linear_program.hpp>

/// Linear programs solved by other people's solvers, as oracles.
namespace support {

enum class solver { cbc, glpsol };

/// The optimum, or nothing if the solver says that there is none. Throws if it is not there or says something else.
inline std::optional<double> solve(solver by, shardplan::search::linear_program const& of) {
  namespace fs = std::filesystem;
  static int number = 0;
  fs::path const folder =
      fs::temp_directory_path() / ("shardplan-oracle-" + std::to_string(getpid()) + "-" + std::to_string(number++));
  fs::create_directories(folder);
  struct remover {
    fs::path const& what;
    ~remover() {
      std::error_code ignored;
      fs::remove_all(what, ignored);
    }
  } const at_end{folder};
  std::string const program = (folder / "program.lp").string(), answer = (folder / "answer").string();
  std::ofstream(program) << shardplan::io::lp_text(of);
  // Pieces one after the other: g++ 12 warns of overlaps where strings are added at -O3.
  std::string command = by == solver::cbc ? "cbc " : "glpsol --lp ";
  command.append(program).append(by == solver::cbc ? " allowableGap 0 ratioGap 0 solve solution " : " -o ");
  command.append(answer).append(" > ").append((folder / "log").string()).append(" 2>&1");
  int const status = std::system(command.c_str());
  auto const read = [](fs::path const& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  };
  std::string const log = read(folder / "log"), text = read(answer);
  if (status != 0 || text.empty())
    throw std::runtime_error(std::string{"the solver did not answer (is it installed? ./dev test installs it): "}
                                 .append(command)
                                 .append("\n")
                                 .append(log.substr(0, 2000)));
  if (by == solver::cbc) {
    // "Optimal - objective value 13.60000000", "Infeasible - ...", "Integer infeasible - ..."
    if (text.starts_with("Infeasible") || text.starts_with("Integer infeasible"))
      return std::nullopt;
    if (text.starts_with("Optimal"))
      return std::stod(text.substr(text.find("value") + 5));
  } else {
    // "Status:     INTEGER OPTIMAL", "Objective:  objective = 13.6 (MINimum)"
    auto const line = [&](std::string const& start) {
      auto const at = text.find(start);
      return at == std::string::npos ? std::string{} : text.substr(at, text.find('\n', at) - at);
    };
    std::string const found = line("Status:");
    if (found.find("OPTIMAL") != std::string::npos) {
      std::string const objective = line("Objective:");
      return std::stod(objective.substr(objective.find('=') + 1));
    }
    if (found.find("UNDEFINED") != std::string::npos || found.find("EMPTY") != std::string::npos ||
        found.find("INFEASIBLE") != std::string::npos)
      return std::nullopt;
  }
  throw std::runtime_error(
      std::string{"the solver says something else: "}.append(text.substr(0, 200)).append(log.substr(0, 2000)));
}

}  // namespace support
