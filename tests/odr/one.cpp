// Two translation units include everything, read the same plan and are linked: a function that is not inline is defined
// twice and does not link, a constant that is not inline has two addresses, and what differs between the two shows.
#include <shardplan/io.hpp>
#include <shardplan/shardplan.hpp>

#include "plan.hpp"

const int* version_major_of_two();
double step_time_of_two();

int main() {
  bool const one_constant = version_major_of_two() == &shardplan::version_major;
  bool const one_answer = step_time_of_two() == step_time();
  return one_constant && one_answer ? 0 : 1;
}
