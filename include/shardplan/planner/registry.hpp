#pragma once
#include <cstddef>
#include <vector>

#include <shardplan/planner/blocks.hpp>

namespace shardplan::planner {

/// Layer kinds known at run time. Typed records are erased here, once, behind one function per kind; a model's blocks
/// name their kind by index. Start from `standard()` and `add` own kinds:
///
///     struct my_block_kind {
///       static block_values read(recomputation, attention_kernel, block_environment const&);
///     };
///
/// where `read` evaluates `cost::block_record(layer | tensor{} | ...)`, as `decoder_block_kind` does.
class block_registry {
 public:
  using read_function = block_values (*)(recomputation, attention_kernel, block_environment const&);

  /// The kinds that come with the library, at the indices of `model::block_kind`. A template, so that only a
  /// translation unit that calls it instantiates their records.
  template <class Registry = block_registry> static Registry standard() {
    Registry registry;
    registry.template add<decoder_block_kind<model::mlp::plain>>("decoder block, plain MLP");
    registry.template add<decoder_block_kind<model::mlp::gated>>("decoder block, gated MLP");
    return registry;
  }

  /// Registers a kind and returns its index.
  template <class Kind> model::block_kind add(const char* name) {
    kinds_.push_back({name, &Kind::read});
    return static_cast<model::block_kind>(kinds_.size() - 1);
  }

  std::size_t size() const { return kinds_.size(); }
  const char* name(model::block_kind kind) const {
    return index_of(kind) < kinds_.size() ? kinds_[index_of(kind)].name : "unknown kind";
  }

  block_values operator()(model::block_kind kind, recomputation again, attention_kernel kernel,
                          block_environment const& environment) const {
    if (index_of(kind) >= kinds_.size())
      return unknown_block();
    return kinds_[index_of(kind)].read(again, kernel, environment);
  }

 private:
  struct entry {
    const char* name;
    read_function read;
  };
  static std::size_t index_of(model::block_kind kind) { return static_cast<std::size_t>(kind); }

  std::vector<entry> kinds_;
};

}  // namespace shardplan::planner
