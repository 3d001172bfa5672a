#pragma once
/// The only header of the library that defines macros; all of them start with SHARDPLAN_.

#if (defined(__GNUC__) || defined(__clang__)) && defined(__OPTIMIZE__)
/// Reading an expression is a chain of one-line calls. Unless all of them are inlined a reading is twenty times slower
/// than a hand-written loop, and the optimiser's own limits stop before the end of the chain. Without optimisation
/// forced inlining only makes compilers slow.
#define SHARDPLAN_FORCE_INLINE [[gnu::always_inline]] inline
#else
#define SHARDPLAN_FORCE_INLINE inline
#endif
