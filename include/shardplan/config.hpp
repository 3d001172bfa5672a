#pragma once
/// The only header of the library that defines macros; all of them start with SHARDPLAN_.

#if defined(__SANITIZE_ADDRESS__)
#define SHARDPLAN_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define SHARDPLAN_SANITIZED 1
#endif
#endif

#if (defined(__GNUC__) || defined(__clang__)) && defined(__OPTIMIZE__) && !defined(SHARDPLAN_SANITIZED)
/// Reading an expression is a chain of one-line calls. Unless all of them are inlined a reading is twenty times slower
/// than a hand-written loop, and the optimiser's own limits stop before the end of the chain. Without optimisation, or
/// with a sanitizer's checks in every call, forced inlining only makes compilers slow.
#define SHARDPLAN_FORCE_INLINE [[gnu::always_inline]] inline
/// The same for a lambda, after its parameters.
#define SHARDPLAN_FORCE_INLINE_LAMBDA __attribute__((always_inline))
#else
#define SHARDPLAN_FORCE_INLINE inline
#define SHARDPLAN_FORCE_INLINE_LAMBDA
#endif
