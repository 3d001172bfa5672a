#pragma once
#include <string>
#include <vector>

#include <shardplan/model/description.hpp>

namespace shardplan::io {

/// A transformer whose runs of blocks were counted at run time.
using run_transformer = model::transformer<std::vector<model::block_run>>;

/// A model as read from a file.
struct named_model {
  /// The folder of a config.json, the name of any other file without its ending, or what the file itself says.
  std::string name;
  std::string file;
  run_transformer model;
  /// What the user should know: what limits attention, which defaults were taken, what of the file is not modelled.
  std::vector<std::string> notes;
};

}  // namespace shardplan::io
