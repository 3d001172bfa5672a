#pragma once
#include <memory>

namespace CLI {
class App;
}

/// The commands. Each adds itself to the application; `run` returns the exit status: 0 done, 1 nothing fits.
namespace command_line {

class command {
 public:
  virtual ~command() = default;
  virtual int run() = 0;
};

std::unique_ptr<command> add_plan_command(CLI::App& application);
std::unique_ptr<command> add_estimate_command(CLI::App& application);
std::unique_ptr<command> add_model_command(CLI::App& application);
std::unique_ptr<command> add_devices_command(CLI::App& application);

}  // namespace command_line
