#pragma once
#include <concepts>
#include <cstdint>

/// Random numbers for tests and instances, from a seed.
namespace shardplan::testing {

/// Random numbers that are the same everywhere (splitmix64), as the standard distributions are not.
class generator {
 public:
  explicit generator(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
  }
  /// A whole number from low to high, both included.
  long long whole(long long low, long long high) {
    return low + static_cast<long long>(bits() % static_cast<std::uint64_t>(high - low + 1));
  }
  /// A number in [low, high).
  double real(double low, double high) { return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53; }
  bool chance(double probability) { return real(0, 1) < probability; }
  /// One of the values.
  template <class First, std::same_as<First>... More> First one_of(First first, More... more) {
    const First list[] = {first, more...};
    return list[whole(0, sizeof...(More))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace shardplan::testing
