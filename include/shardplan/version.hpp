#pragma once

/// The version of the library. The build reads these three numbers from here.
namespace shardplan {

inline constexpr int version_major = 0;
inline constexpr int version_minor = 1;
inline constexpr int version_patch = 0;

/// "major.minor.patch"
inline constexpr const char* version = "0.1.0";

}  // namespace shardplan
