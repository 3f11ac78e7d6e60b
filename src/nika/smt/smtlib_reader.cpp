#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "nika/base/printable.hpp"
#include "nika/smt/smtlib.hpp"

namespace nika::smt {
namespace {

constexpr int kMaxDepth = 2'000;

struct Failure {
  std::size_t offset;
  std::string message;
};

// Words, parentheses and comments; the rest of the standard's lexical rules is not needed.
class Words {
 public:
  explicit Words(const std::string& text) : text_(text) {}

  std::size_t offset() {
    skip();
    return position_;
  }
  bool at_end() {
    skip();
    return position_ == text_.size();
  }
  bool accept(char c) {
    skip();
    if (position_ == text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("'{}'", c));
  }
  std::string word(const std::string& what) {
    skip();
    const std::size_t begin = position_;
    while (position_ < text_.size() && is_word(text_[position_])) ++position_;
    if (position_ == begin) fail(what);
    return text_.substr(begin, position_ - begin);
  }
  [[noreturn]] void fail(const std::string& expected) {
    const std::size_t at = offset();
    const std::string read = at == text_.size() ? "the end" : "'" + shortened(text_.substr(at, 20), 20) + "'";
    throw Failure{at, fmt::format("read {}, expected {}", read, expected)};
  }

 private:
  static bool is_word(char c) {
    return std::isspace(static_cast<unsigned char>(c)) == 0 && c != '(' && c != ')' && c != ';';
  }
  void skip() {
    while (position_ < text_.size()) {
      if (text_[position_] == ';') {
        position_ = std::min(text_.find('\n', position_), text_.size());
      } else if (std::isspace(static_cast<unsigned char>(text_[position_])) != 0) {
        ++position_;
      } else {
        return;
      }
    }
  }

  const std::string& text_;
  std::size_t position_ = 0;
};

class Reader {
 public:
  explicit Reader(const std::string& text) : words_(text) {}

  std::vector<Formula> run() {
    bool is_asked = false;
    while (!words_.at_end()) {
      words_.expect('(');
      const std::string command = words_.word("a command");
      if (is_asked && command != "exit") words_.fail("nothing after (check-sat) but (exit)");
      if (command == "check-sat") is_asked = true;
      if (!run_command(command)) words_.fail("set-logic, set-info, declare-fun, define-fun, assert, check-sat or exit");
      words_.expect(')');
    }
    if (!is_asked) words_.fail("(check-sat)");
    return std::move(assertions_);
  }

 private:
  bool run_command(const std::string& command) {
    if (command == "check-sat" || command == "exit") return true;
    if (command == "set-logic") return words_.word("a logic") == "QF_LIA";
    if (command == "set-info") return words_.word("an attribute"), words_.word("its value"), true;
    if (command == "declare-fun") return declare(), true;
    if (command == "define-fun") return define(), true;
    if (command == "assert") return assertions_.push_back(formula(0)), true;
    return false;
  }

  std::string new_name() {
    std::string name = words_.word("a name");
    if (integers_.count(name) + formulas_.count(name) > 0) words_.fail("a name that is not declared yet");
    words_.expect('(');
    words_.expect(')');
    return name;
  }

  void declare() {
    const std::string name = new_name();
    const std::string sort = words_.word("Int or Bool");
    if (sort == "Int") {
      integers_.emplace(name, IntVariable{static_cast<std::uint32_t>(integers_.size())});
    } else if (sort == "Bool") {
      formulas_.emplace(name, Formula(BoolVariable{booleans_++}));
    } else {
      words_.fail("Int or Bool");
    }
  }

  void define() {
    const std::string name = new_name();
    if (words_.word("Bool") != "Bool") words_.fail("Bool");
    formulas_.emplace(name, formula(0));
  }

  Formula formula(int depth) {
    if (depth > kMaxDepth) words_.fail(fmt::format("at most {} nested parts", kMaxDepth));
    if (!words_.accept('(')) {
      const std::string name = words_.word("a formula");
      if (name == "true" || name == "false") return Formula(name == "true");
      const auto found = formulas_.find(name);
      if (found == formulas_.end()) words_.fail("a declared formula before this");
      return found->second;
    }
    const std::string symbol = words_.word("an operator");
    Formula result;
    if (symbol == ">=" || symbol == "=") {
      const Linear left = sum();
      const Linear right(number());
      result = symbol == "=" ? equal(left, right) : left >= right;
    } else if (symbol == "not") {
      result = !formula(depth + 1);
    } else if (symbol == "and" || symbol == "or") {
      std::vector<Formula> children;
      while (!words_.accept(')')) children.push_back(formula(depth + 1));
      return symbol == "and" ? all_of(std::move(children)) : any_of(std::move(children));
    } else {
      words_.fail("one of >= = not and or before this");
    }
    words_.expect(')');
    return result;
  }

  // A variable, a multiple of one, or a sum of these.
  Linear sum() {
    if (!words_.accept('(')) return variable(1);
    const std::string symbol = words_.word("+ or *");
    Linear result;
    if (symbol == "*") {
      const std::int64_t factor = number();
      result = variable(factor);
      words_.expect(')');
      return result;
    }
    if (symbol != "+") words_.fail("+ or * before this");
    std::map<std::uint32_t, bool> seen;
    while (!words_.accept(')')) {
      std::int64_t factor = 1;
      const bool is_product = words_.accept('(');
      if (is_product && words_.word("*") != "*") words_.fail("* before this");
      if (is_product) factor = number();
      const Linear summand = variable(factor);
      if (is_product) words_.expect(')');
      // Nothing is added up, so that nothing can overflow.
      if (!summand.is_constant() && !seen.emplace(summand.terms().front().first, true).second) {
        words_.fail("each variable once in a sum");
      }
      result += summand;
    }
    return result;
  }

  Linear variable(std::int64_t factor) {
    const auto found = integers_.find(words_.word("a variable"));
    if (found == integers_.end()) words_.fail("a declared variable before this");
    return factor * Linear(found->second);
  }

  std::int64_t number() {
    const bool negative = words_.accept('(');
    if (negative && words_.word("-") != "-") words_.fail("- before this");
    const std::string digits = words_.word("a number");
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < 0) words_.fail("a number before this");
    if (negative) words_.expect(')');
    return negative ? -value : value;
  }

  Words words_;
  std::map<std::string, IntVariable> integers_;
  std::map<std::string, Formula> formulas_;
  std::uint32_t booleans_ = 0;
  std::vector<Formula> assertions_;
};

}  // namespace

Result<std::vector<Formula>> parse_smtlib(const std::string& file, const std::string& text) {
  try {
    return Reader(text).run();
  } catch (const Failure& failure) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(failure.offset);
    return bad_input(
        fmt::format("{}:{}: {}", file, 1 + std::count(text.begin(), end, '\n'), printable(failure.message)));
  }
}

}  // namespace nika::smt
