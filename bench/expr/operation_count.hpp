#pragma once
#include <map>
#include <string>
#include <vector>

#include <shardplan/expr/column.hpp>
#include <shardplan/expr/sequence.hpp>

/// A reading that counts: how many operations a configuration needs once equal ones are shared and those that are the
/// same for all configurations are taken out of the loop.
namespace bench {

namespace sp = shardplan;

/// A value by the operation that makes it.
struct counted {
  int id = -1;
  bool varies = false;

  counted() = default;
  counted(int known, bool differs) : id(known), varies(differs) {}
  explicit counted(double) {}
};

class operation_table {
 public:
  counted find(std::string const& name, std::vector<int> const& operands, bool varies, bool is_operation) {
    auto const [place, is_new] = known_.try_emplace({name, operands}, static_cast<int>(known_.size()));
    if (is_new && varies && is_operation)
      ++operations_;
    return {place->second, varies};
  }
  int operations() const { return operations_; }

 private:
  std::map<std::pair<std::string, std::vector<int>>, int> known_;
  int operations_ = 0;
};

template <class Environment> class counting_reader {
 public:
  using value_type = counted;
  using number_type = double;
  static constexpr bool inlines = false;

  counting_reader(Environment const& environment, operation_table& table) : environment_(environment), table_(table) {}

  Environment const& environment() const { return environment_; }
  template <class Inner> counting_reader<Inner> in(Inner const& inner) const { return {inner, table_}; }

  template <class Literal> counted literal() const {
    return table_.find("literal " + std::to_string(Literal::numerator) + "/" + std::to_string(Literal::denominator), {},
                       false, false);
  }
  template <class Tag> counted symbol() const { return bound(sp::expr::value_of<Tag>(environment_)); }
  template <class Node, class... Operands> counted apply(Operands const&... operands) const {
    // The start of a sum or a maximum is no operation.
    if (((operands.id < 0) || ...)) {
      counted kept;
      ((operands.id < 0 ? void() : void(kept = operands)), ...);
      return kept;
    }
    return table_.find(Node::operation::name, {operands.id...}, (operands.varies || ...), true);
  }

 private:
  counted bound(counted const& value) const { return value; }
  template <class Number> counted bound(Number const& value) const {
    return table_.find("number " + std::to_string(value), {}, false, false);
  }
  template <class Number> counted bound(sp::expr::column<Number> const& value) const {
    return table_.find("column " + std::to_string(reinterpret_cast<std::size_t>(value.values.data())), {}, true, false);
  }

  Environment const& environment_;
  operation_table& table_;
};

/// Operations of a record or a sequence, all of its entries.
template <class... Records, class Environment>
int count_operations(sp::expr::sequence<Records...> records, Environment const& environment) {
  operation_table table;
  sp::expr::read_in_sequence(records, counting_reader<Environment>{environment, table}, [](auto const&) {});
  return table.operations();
}
template <class... Entries, class Environment>
int count_operations(sp::expr::record<Entries...> record, Environment const& environment) {
  return count_operations(sp::expr::in_sequence(record), environment);
}

}  // namespace bench
