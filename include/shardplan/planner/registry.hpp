#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <shardplan/model/kinds.hpp>
#include <shardplan/planner/layer_kind.hpp>

namespace shardplan::planner {

/// Layer kinds known at run time. Typed records are erased here, once, behind "evaluate these columns into this
/// buffer"; a model's blocks name their kind by index. Start from `standard()` and `add` own kinds.
class block_registry {
 public:
  /// The kinds that come with the library, at the indices of `model::block_kind`; those that only the model room knows
  /// have a name and no records. A template, so that only a translation unit that calls it instantiates the records.
  template <class Registry = block_registry> static Registry standard() {
    Registry registry;
    for (std::size_t kind = 0; kind < model::block_kind_count; ++kind)
      registry.kinds_.push_back({model::name_of(static_cast<model::block_kind>(kind)), nullptr});
    registry.replace(model::block_kind::plain_mlp,
                     layer_kind{[](auto kernel) { return model::decoder_block(model::mlp::plain{}, kernel); }});
    registry.replace(model::block_kind::gated_mlp,
                     layer_kind{[](auto kernel) { return model::decoder_block(model::mlp::gated{}, kernel); }});
    return registry;
  }

  /// Registers a kind and returns its index. `Kind` is a `layer_kind`, or any type with its function `read`.
  template <class Kind> model::block_kind add(const char* name, Kind kind) {
    kinds_.push_back({name, std::make_shared<typed<Kind>>(std::move(kind))});
    return static_cast<model::block_kind>(kinds_.size() - 1);
  }

  /// Gives a kind that is there other records.
  template <class Kind> void replace(model::block_kind kind, Kind reader) {
    kinds_[index_of(kind)].reader = std::make_shared<typed<Kind>>(std::move(reader));
  }

  std::size_t size() const { return kinds_.size(); }
  /// There are records of this kind.
  bool knows(model::block_kind kind) const { return index_of(kind) < kinds_.size() && kinds_[index_of(kind)].reader; }
  const char* name(model::block_kind kind) const {
    return index_of(kind) < kinds_.size() ? kinds_[index_of(kind)].name : "unknown kind";
  }

  /// Reads the record of a kind for `count` configurations, at least a pack of them.
  void read(model::block_kind kind, recomputation again, attention_kernel kernel, std::size_t count,
            block_columns const& columns, block_results const& results) const {
    if (knows(kind))
      kinds_[index_of(kind)].reader->read(again, kernel, count, columns, results);
    else
      fill(count, results, unknown_cost);
  }

  /// Reads it for one configuration.
  block_values operator()(model::block_kind kind, recomputation again, attention_kernel kernel,
                          block_environment const& environment) const {
    constexpr std::size_t width = expr::native_width<double>;
    std::array<double, width * 13> inputs;
    std::array<double, width * 12> outputs;
    block_columns columns;
    copy_numbers(environment, columns);
    auto const common = expr::evaluate(common_record(), environment);
    std::size_t next_input = 0, next_output = 0;
    spread(expr::scope{common, environment}, columns, std::span<double>{inputs}, next_input);
    block_results results;
    place_results(results, [&] { return std::span<double>{outputs}.subspan(width * next_output++, width); });
    read(kind, again, kernel, width, columns, results);
    block_values values;
    take_first(results, values);
    return values;
  }

 private:
  class erased {
   public:
    virtual ~erased() = default;
    virtual void read(recomputation, attention_kernel, std::size_t, block_columns const&,
                      block_results const&) const = 0;
  };
  template <class Kind> class typed final : public erased {
   public:
    explicit typed(Kind kind) : kind_(std::move(kind)) {}
    void read(recomputation again, attention_kernel kernel, std::size_t count, block_columns const& columns,
              block_results const& results) const override {
      kind_.read(again, kernel, count, columns, results);
    }

   private:
    Kind kind_;
  };
  struct entry {
    const char* name;
    std::shared_ptr<erased const> reader;
  };

  static std::size_t index_of(model::block_kind kind) { return static_cast<std::size_t>(kind); }

  /// One configuration in all places of each column.
  template <class From, class Tag, class Value>
  static void spread_one(From const& from, expr::binding<Tag, Value>& to, std::span<double> storage,
                         std::size_t& next) {
    if constexpr (!std::same_as<Value, double>) {
      constexpr std::size_t width = expr::native_width<double>;
      auto const place = storage.subspan(width * next++, width);
      for (double& each : place)
        each = expr::value_of<Tag>(from);
      to.value = {place};
    }
  }
  template <class From, class... Bindings>
  static void spread(From const& from, expr::environment<Bindings...>& to, std::span<double> storage,
                     std::size_t& next) {
    (spread_one(from, static_cast<Bindings&>(to), storage, next), ...);
  }
  template <class... Tags>
  static void take_first(expr::environment<expr::binding<Tags, std::span<double>>...> const& results,
                         block_values& values) {
    (set<Tags>(values, expr::value_of<Tags>(results)[0]), ...);
  }

  std::vector<entry> kinds_;
};

}  // namespace shardplan::planner
