#pragma once
#include <string>

#include <shardplan/expr/text.hpp>

/// The formula as a program: what `text` writes, with `let` and what is read over elements in a form that Python runs.
///
/// Run `python_definitions` first, then give the symbols their values as global names, the functions as global
/// functions, and each scope its elements as a list of dictionaries with the scope's name: `stage = [{"T": 1.0}, ...]`.
/// Names must be Python's too.
namespace shardplan::expr {

/// What the formulas use beyond Python's built-in functions. Names are looked up when they are used, innermost first,
/// as in an environment.
inline constexpr const char* python_definitions = R"(from math import ceil, floor, log2, inf, nan
def positive_part(value): return max(value, 0)
def select(condition, value, otherwise): return value if condition > 0 else otherwise
def with_names(names, formula):
    before = {name: globals()[name] for name in names if name in globals()}
    globals().update(names)
    try:
        return formula()
    finally:
        for name in names: del globals()[name]
        globals().update(before)
def let(name, value, formula): return with_names({name: value}, formula)
def of_element(scope, elements, index, formula):
    return with_names({**elements[index], "place in " + scope: (elements, index)}, formula)
def over(scope, reduction, of_none, formula):
    elements = globals()[scope]
    return reduction([of_none] + [of_element(scope, elements, index, formula) for index in range(len(elements))])
def earlier(scope, formula):
    elements, place = globals()["place in " + scope]
    return sum(of_element(scope, elements, index, formula) for index in range(place))
)";

inline std::string python_text(tree const& formula) {
  using printer = detail::text_printer;
  return printer{symbols_as::names, printer::reader::python}.print(formula);
}
/// The formula by the names of its symbols: `let("x", y + z, lambda: x*x)`, `over("stage", sum, 0, lambda: T + M/B)`.
template <expression Expression> std::string python_text(Expression expression) {
  return python_text(make_tree(expression));
}

}  // namespace shardplan::expr
