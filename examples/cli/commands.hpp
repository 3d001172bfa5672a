#pragma once
#include "arguments.hpp"

/// The commands; each returns the exit status: 0 done, 1 nothing fits.
namespace command_line {

int run_plan(plan_options const& options);
int run_estimate(estimate_options const& options);
int run_model(model_options const& options);
int run_devices();
int run_schedule(schedule_options const& options);
int run_fidelity(fidelity_options const& options);

}  // namespace command_line
