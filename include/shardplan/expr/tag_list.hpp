#pragma once
#include <concepts>

namespace shardplan::expr {

/// Some symbols, by their tags.
template <class... Tags> struct tag_list {};

/// `List` names the symbol with this tag.
template <class List, class Tag> inline constexpr bool lists = false;
template <class... Tags, class Tag>
inline constexpr bool lists<tag_list<Tags...>, Tag> = (std::same_as<Tag, Tags> || ...);

}  // namespace shardplan::expr
