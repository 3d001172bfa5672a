#pragma once
#include <cstdint>
#include <map>

#include <shardplan/expr/symbol.hpp>

/// An environment that gives every symbol a value, so that laws can be checked on types with symbols of their own.
namespace shardplan::testing {

namespace detail {
/// splitmix64: the same everywhere, as the standard distributions are not.
constexpr std::uint64_t mixed(std::uint64_t state) {
  state += 0x9e3779b97f4a7c15u;
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
  state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
  return state ^ (state >> 31);
}
/// A symbol's value, drawn for its name and sign: whole numbers from 1 to 16 where it is at least one, else numbers up
/// to 8, and at times zero where it may be.
constexpr double drawn(std::uint64_t seed, const char* name, expr::sign sign) {
  std::uint64_t state = seed;
  for (; *name != '\0'; ++name)
    state = mixed(state ^ static_cast<unsigned char>(*name));
  std::uint64_t const bits = mixed(state);
  auto const share = static_cast<double>(bits >> 11) * 0x1p-53;  // in [0, 1)
  switch (sign) {
  case expr::sign::at_least_one:
    return static_cast<double>(1 + bits % 16);
  case expr::sign::positive:
    return 0.125 + share * 7.875;
  case expr::sign::non_negative:
    return bits % 4 == 0 ? 0.0 : share * 8;
  case expr::sign::any:
    break;
  }
  return share * 16 - 8;
}
template <class Tag> inline constexpr char identity_of_tag = 0;
}  // namespace detail

/// Gives every symbol a random value that its sign allows; the same for the same seed. Functions are not in it: bind
/// them in a scope around it.
class random_values {
 public:
  explicit random_values(std::uint64_t seed) : seed_(seed) {}

  /// From now on the symbol has this value.
  template <class Tag> void set(expr::symbol<Tag>, double value) { values_[&detail::identity_of_tag<Tag>] = value; }

  template <expr::symbol_description Tag> double const& find() const {
    auto const [found, missing] = values_.try_emplace(&detail::identity_of_tag<Tag>, 0.0);
    if (missing)
      found->second = detail::drawn(seed_, Tag::name, Tag::sign);
    return found->second;
  }

 private:
  std::uint64_t seed_;
  // Readings ask for references; a map keeps its values in place.
  mutable std::map<char const*, double> values_;
};

}  // namespace shardplan::testing
