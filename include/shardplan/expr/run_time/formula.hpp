#pragma once
#include <charconv>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <shardplan/expr/run_time/expression.hpp>
#include <shardplan/unit/nearest.hpp>

/// Formulas from text, such as those in a user's file.
namespace shardplan::expr {

/// The names that a formula may use.
class formula_names {
 public:
  formula_names& add(any_symbol const& symbol) { return add(symbol.name(), symbol); }
  /// A name for a number, a unit or an expression: `add("GiB", any_expression(1_GiB))`.
  formula_names& add(std::string name, any_expression meaning) {
    values_.insert_or_assign(std::move(name), std::move(meaning));
    return *this;
  }
  formula_names& add(any_function const& function) {
    functions_.insert_or_assign(function.name(), function);
    return *this;
  }
  /// `byte`, `FLOP` and `second`.
  formula_names& add_units() {
    add("byte", any_expression::ratio(1, 1, {.byte = 1}));
    add("FLOP", any_expression::ratio(1, 1, {.flop = 1}));
    return add("second", any_expression::ratio(1, 1, {.second = 1}));
  }

  /// Null where the name is not known.
  any_expression const* value(std::string_view name) const { return found(values_, name); }
  any_function const* function(std::string_view name) const { return found(functions_, name); }
  std::vector<std::string> names_of_values() const { return names(values_); }
  std::vector<std::string> names_of_functions() const { return names(functions_); }

 private:
  template <class Value> using table = std::map<std::string, Value, std::less<>>;
  template <class Value> static Value const* found(table<Value> const& values, std::string_view name) {
    auto const at = values.find(name);
    return at == values.end() ? nullptr : &at->second;
  }
  template <class Value> static std::vector<std::string> names(table<Value> const& values) {
    std::vector<std::string> result;
    for (auto const& [name, value] : values)
      result.push_back(name);
    return result;
  }

  table<any_expression> values_;
  table<any_function> functions_;
};

/// What is wrong with a formula.
struct formula_error {
  /// Where, in bytes from the start.
  std::size_t position = 0;
  /// What stands there.
  std::string found = {};
  /// What would be right.
  std::string expected = {};

  /// "column 7: found "hh"; expected a known name, such as h".
  std::string message() const { return place_and_found() + "; expected " + expected; }
  std::string place_and_found() const { return "column " + std::to_string(position + 1) + ": found " + found; }
};

/// A formula that was read. Where it is not valid, the expression is in an error state.
struct parsed_formula {
  any_expression expression = {};
  formula_error error = {};

  bool valid() const { return expression.valid(); }
};

namespace detail {

class formula_parser {
 public:
  formula_parser(std::string_view text, formula_names const& names) : text_(text), names_(names) {}

  parsed_formula parse() {
    any_expression result = sum();
    skip_spaces();
    if (!failed_ && at_ < text_.size())
      fail(at_, found_here(), "an operator or the end of the formula");
    if (failed_)
      return {any_expression(make_any_error(error_.place_and_found(), error_.expected)), error_};
    return {std::move(result), {}};
  }

 private:
  /// Far more than people write, and far less than the stack holds.
  static constexpr int deepest = 200;

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }
  static bool is_digit(char letter) { return '0' <= letter && letter <= '9'; }
  static bool is_letter(char letter) {
    return ('a' <= letter && letter <= 'z') || ('A' <= letter && letter <= 'Z') || letter == '_';
  }
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool follows(std::string_view token) {
    skip_spaces();
    return !failed_ && text_.substr(at_, token.size()) == token;
  }
  bool take(std::string_view token) {
    if (!follows(token))
      return false;
    at_ += token.size();
    return true;
  }
  std::string_view word_at(std::size_t from) const {
    std::size_t end = from;
    while (end < text_.size() && (is_letter(text_[end]) || (end > from && is_digit(text_[end]))))
      ++end;
    return text_.substr(from, end - from);
  }
  std::string found_here() const {
    if (at_ >= text_.size())
      return "the end of the formula";
    std::string_view const word = word_at(at_);
    return quoted(word.empty() ? text_.substr(at_, 1) : word);
  }
  static std::string quoted(std::string_view part) {
    std::string result = "\"";
    for (char const letter : part.substr(0, 40))
      result += static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f ? '?' : letter;
    return result + "\"";
  }
  any_expression fail(std::size_t position, std::string found, std::string expected) {
    if (!failed_)
      error_ = {position, std::move(found), std::move(expected)};
    failed_ = true;
    return {};
  }
  any_expression expected_here(std::string what) {
    skip_spaces();
    return fail(at_, found_here(), std::move(what));
  }
  /// A result that is wrong is the fault of the operation at `position`.
  any_expression checked(std::size_t position, any_expression result) {
    if (!failed_ && !result.valid())
      return fail(position, result.node()->name, result.node()->meaning);
    return result;
  }

  /// The number 0 has whatever dimension is needed beside it.
  static void fit_zeros(any_expression& left, any_expression& right) {
    auto const fit = [](any_expression& zero, any_expression const& other) {
      if (is_exact_zero(*zero.node()) && zero.dimension() == any_dimension{})
        zero = any_expression::ratio(0, 1, other.dimension());
    };
    fit(left, right);
    fit(right, left);
  }

  any_expression sum() {
    any_expression left = product();
    while (follows("+") || follows("-")) {
      std::size_t const position = at_;
      bool const adds = text_[at_++] == '+';
      any_expression right = product();
      if (failed_)
        return {};
      fit_zeros(left, right);
      left = checked(position, adds ? left + right : left - right);
    }
    return left;
  }
  any_expression product() {
    any_expression left = signed_factor();
    while ((follows("*") && !follows("**")) || (follows("/") && !follows("//"))) {
      std::size_t const position = at_;
      bool const multiplies = text_[at_++] == '*';
      any_expression const right = signed_factor();
      if (failed_)
        return {};
      left = checked(position, multiplies ? left * right : left / right);
    }
    return left;
  }
  any_expression signed_factor() {
    deeper const level(*this);
    if (failed_)
      return {};
    skip_spaces();
    std::size_t const position = at_;
    if (take("+"))
      return signed_factor();
    if (!take("-"))
      return power_of_atom();
    any_expression operand = signed_factor();
    any_expression zero;
    if (failed_)
      return {};
    fit_zeros(zero, operand);
    return checked(position, zero - operand);
  }
  /// In Python -x**2 is -(x**2), and x**y**z is x**(y**z).
  any_expression power_of_atom() {
    any_expression base = atom();
    skip_spaces();
    std::size_t const position = at_;
    if (!take("**"))
      return base;
    any_expression const exponent = signed_factor();
    return failed_ ? any_expression{} : checked(position, pow(base, exponent));
  }
  any_expression atom() {
    skip_spaces();
    if (failed_)
      return {};
    std::size_t const position = at_;
    if (take("(")) {
      any_expression inner = sum();
      if (!failed_ && !take(")"))
        return expected_here("an operator or \")\"");
      return inner;
    }
    if (is_digit(next()) || next() == '.')
      return number();
    std::string_view const word = word_at(at_);
    if (word.empty())
      return expected_here("a number, a name or \"(\"");
    at_ += word.size();
    if (follows("("))
      return call(word, position);
    if (any_expression const* const value = names_.value(word); value != nullptr)
      return checked(position, *value);
    if (names_.function(word) != nullptr || is_built_in(word))
      return expected_here("\"(\" after the function " + std::string(word));
    return unknown(word, position, names_.names_of_values(), "a known name");
  }

  any_expression unknown(std::string_view word, std::size_t position, std::vector<std::string> const& names,
                         std::string what) {
    std::string separator = ", such as ";
    for (std::string const& near : unit::nearest(word, names)) {
      what += separator + near;
      separator = " or ";
    }
    return fail(position, quoted(word), std::move(what));
  }

  /// Digits, with a point and an exponent. Exact where numerator and denominator are not too long.
  any_expression number() {
    std::size_t const position = at_;
    long long numerator = 0, denominator = 1;
    bool exact = true, fraction = false, any_digit = false;
    auto const times_ten = [&](long long& value, int more) {
      exact = exact && !__builtin_mul_overflow(value, 10LL, &value) && !__builtin_add_overflow(value, more, &value);
    };
    for (; is_digit(next()) || (next() == '.' && !fraction); ++at_) {
      if (next() == '.') {
        fraction = true;
        continue;
      }
      any_digit = true;
      times_ten(numerator, next() - '0');
      if (fraction)
        times_ten(denominator, 0);
    }
    if (!any_digit)
      return fail(position, quoted(text_.substr(position, at_ - position)), "a digit beside the decimal point");
    exact = read_exponent(numerator, denominator) && exact;
    if (failed_)
      return {};
    if (exact)
      return any_expression::ratio(numerator, denominator);
    double value = 0;
    auto const [end, problem] = std::from_chars(text_.data() + position, text_.data() + at_, value);
    if (problem != std::errc{})
      return fail(position, quoted(text_.substr(position, at_ - position)), "a number in the range of a double");
    return any_expression(value);
  }
  /// Whether the number with its exponent is exact.
  bool read_exponent(long long& numerator, long long& denominator) {
    if (next() != 'e' && next() != 'E')
      return true;
    ++at_;
    bool const negative = next() == '-';
    if (next() == '-' || next() == '+')
      ++at_;
    if (!is_digit(next())) {
      expected_here("a digit of the exponent");
      return false;
    }
    int exponent = 0;
    for (; is_digit(next()); ++at_)
      exponent = exponent > 1000 ? exponent : exponent * 10 + (next() - '0');
    long long& scaled = negative ? denominator : numerator;
    for (; exponent > 0; --exponent)
      if (__builtin_mul_overflow(scaled, 10LL, &scaled))
        return false;
    return true;
  }

  struct built_in {
    const char* name;
    std::size_t least, most;
  };
  static constexpr std::size_t any_number = 1000;
  static constexpr built_in built_ins[] = {{"min", 2, any_number},  {"max", 2, any_number}, {"ceil", 1, 1},
                                           {"floor", 1, 1},         {"log2", 1, 1},         {"pow", 2, 2},
                                           {"positive_part", 1, 1}, {"select", 3, 3}};
  static bool is_built_in(std::string_view word) { return built_in_of(word) != nullptr; }
  static built_in const* built_in_of(std::string_view word) {
    for (built_in const& each : built_ins)
      if (word == each.name)
        return &each;
    return nullptr;
  }
  static std::string operands_text(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " operand" : " operands");
  }

  any_expression call(std::string_view word, std::size_t position) {
    any_function const* const function = names_.function(word);
    built_in const* const known = function == nullptr ? built_in_of(word) : nullptr;
    if (function == nullptr && known == nullptr) {
      std::vector<std::string> names = names_.names_of_functions();
      for (built_in const& each : built_ins)
        names.emplace_back(each.name);
      return unknown(word, position, names, "a known function");
    }
    take("(");
    std::vector<any_expression> operands;
    if (!take(")")) {
      do
        operands.push_back(sum());
      while (take(","));
      if (!failed_ && !take(")"))
        return expected_here("an operator, \",\" or \")\"");
    }
    if (failed_)
      return {};
    std::size_t const least = known != nullptr ? known->least : function->arity();
    std::size_t const most = known != nullptr ? known->most : function->arity();
    if (operands.size() < least || operands.size() > most)
      return fail(position, std::string(word) + " with " + operands_text(operands.size()),
                  (most > least ? "at least " : "") + operands_text(least));
    return checked(position, known != nullptr ? applied(word, operands) : (*function)(operands));
  }
  static any_expression applied(std::string_view word, std::vector<any_expression>& operands) {
    any_expression& first = operands[0];
    if (word == "ceil")
      return ceil(first);
    if (word == "floor")
      return floor(first);
    if (word == "log2")
      return log2(first);
    if (word == "positive_part")
      return positive_part(first);
    if (word == "pow")
      return pow(first, operands[1]);
    if (word == "select") {
      fit_zeros(operands[1], operands[2]);
      return select(first, operands[1], operands[2]);
    }
    any_expression result = first;
    for (std::size_t index = 1; index < operands.size(); ++index) {
      fit_zeros(result, operands[index]);
      result = word == "min" ? min(result, operands[index]) : max(result, operands[index]);
    }
    return result;
  }

  class deeper {
   public:
    explicit deeper(formula_parser& parser) : parser_(parser) {
      if (++parser_.depth_ > deepest)
        parser_.expected_here("at most " + std::to_string(deepest) + " levels of brackets and signs");
    }
    ~deeper() { --parser_.depth_; }
    deeper(deeper const&) = delete;
    deeper& operator=(deeper const&) = delete;

   private:
    formula_parser& parser_;
  };

  std::string_view text_;
  formula_names const& names_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
  formula_error error_;
};

}  // namespace detail

/// Reads a formula as the text reading prints it, in the syntax of Python: numbers such as 2, 0.5 and 1e9, names, the
/// operators + - * / **, brackets, and the functions min, max, ceil, floor, log2, pow, positive_part and select, beside
/// those in `names`. Decimal numbers are exact where numerator and denominator fit into 64 bits. The number 0 has the
/// dimension of what it is added to or compared with; other amounts need units, such as 3*byte.
inline parsed_formula parse_formula(std::string_view text, formula_names const& names) {
  return detail::formula_parser(text, names).parse();
}

}  // namespace shardplan::expr
