#pragma once

namespace shardplan::device {

/// A figure of a device or link and where it comes from. A figure that a device does not have (fp8 on a chip without
/// fp8 engines) is absent: value zero, `present()` false, and the source says why.
template <class Value> struct figure {
  Value value{};
  /// A citation that a reader can follow: document and table, repository and file, or the measurement it is fitted to.
  const char* source = "";

  constexpr bool present() const { return value > Value{}; }
};

}  // namespace shardplan::device
