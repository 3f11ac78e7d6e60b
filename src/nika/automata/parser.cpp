#include "nika/automata/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "nika/automata/expression_parser.hpp"
#include "nika/automata/printer.hpp"
#include "nika/automata/template.hpp"
#include "nika/base/text_file.hpp"

namespace nika::automata {
namespace {

// The file is read twice: first the declarations, so that every variable has its index, then everything else.
class Parser {
 public:
  Parser(const SourceText& source, std::vector<Token> tokens, const ReadOptions& options)
      : source_(source),
        options_(options),
        tokens_(std::move(tokens)),
        extended_(automaton_, options.division),
        expressions_(tokens_, symbols_, extended_) {
    for (std::size_t i = 0; i < source.text.size(); ++i) {
      if (source.text[i] == '\n') line_ends_.push_back(i);
    }
  }

  Automaton run() {
    declarations_ = true;
    file();
    for (std::uint32_t i = 0; i < automaton_.variable_count(); ++i) {
      symbols_[automaton_.variable_name(i)] = Operand{false, Expression(smt::IntVariable{i}), nullptr, 0};
    }
    extended_.begin();
    for (std::uint32_t i = 0; i < automaton_.unknowns.size(); ++i) {
      symbols_[automaton_.unknowns[i]] = Operand{false, extended_.unknown(i), nullptr, 0};
    }
    declarations_ = false;
    tokens_.rewind();
    file();
    const std::vector<std::size_t> offsets = extended_.finish();
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      Division& division = automaton_.divisions[i];
      const std::string text = fmt::format("({}) / {}", printed(automaton_, division.numerator), division.divisor);
      division.where = pointed_message(source_, offsets[i], text);
    }
    return std::move(automaton_);
  }

 private:
  std::size_t line_of(std::size_t offset) const {
    return 1 + static_cast<std::size_t>(std::lower_bound(line_ends_.begin(), line_ends_.end(), offset) -
                                        line_ends_.begin());
  }

  void file() {
    static const std::set<std::string> kOpenings = {"thresholdAutomaton", "threshAuto", "skel", "ta", "TA"};
    if (kOpenings.count(tokens_.peek().text) == 0) tokens_.fail("'thresholdAutomaton', 'threshAuto', 'skel' or 'ta'");
    tokens_.next();
    automaton_.name = tokens_.expect_name("the automaton's name").text;
    tokens_.expect("{");
    while (!tokens_.at("}")) section();
    tokens_.next();
    tokens_.accept(";");
    if (tokens_.peek().kind != Token::Kind::end) tokens_.fail("the end of the file");
    if (automaton_.locations.empty()) tokens_.fail("a 'locations' section before the end");
  }

  void section() {
    if (tokens_.accept(";")) return;
    if (tokens_.accept("local")) return names(automaton_.locals);
    if (tokens_.accept("shared")) return names(automaton_.shared);
    if (tokens_.accept("parameters") || tokens_.accept("parameter")) return names(automaton_.parameters);
    if (tokens_.accept("define")) return macro();
    if (tokens_.accept("assumptions") || tokens_.accept("assume"))
      return block([this] { conditions(automaton_.assumptions, "an assumption"); });
    if (tokens_.accept("locations")) return locations();
    if (tokens_.accept("inits") || tokens_.accept("init"))
      return block([this] { conditions(automaton_.inits, "an initial condition"); });
    if (tokens_.accept("rules")) return block([this] { rule(); });
    if (tokens_.accept("specifications") || tokens_.accept("specification") || tokens_.accept("spec")) {
      return block([this] { specification(); });
    }
    if (tokens_.at("unknowns") && !options_.sketch) tokens_.fail("no unknowns: give each its value, or --synthesize");
    if (tokens_.accept("unknowns")) return names(automaton_.unknowns);
    tokens_.fail(
        "a section: local, shared, parameters, define, assumptions, locations, inits, rules or specifications");
  }

  void declare(const Token& name) {
    static const std::set<std::string> kReserved = {"true", "false", "when", "do", "unchanged"};
    if (kReserved.count(name.text) > 0) {
      throw ParseFailure{name.offset, fmt::format("read '{}', expected a name that is no keyword", name.text)};
    }
    if (!declared_.insert(name.text).second) {
      throw ParseFailure{name.offset, fmt::format("read '{}' a second time, expected a new name", name.text)};
    }
  }

  void names(std::vector<std::string>& list) {
    if (!tokens_.at(";")) {
      do {
        const Token name = tokens_.expect_name("a variable name");
        if (!declarations_) continue;
        declare(name);
        list.push_back(name.text);
      } while (tokens_.accept(","));
    }
    tokens_.expect(";");
  }

  void macro() {
    const Token name = tokens_.expect_name("the macro's name");
    if (!tokens_.accept("==") && !tokens_.accept(":=")) tokens_.expect("=");
    if (declarations_) {
      declare(name);
      while (!tokens_.at(";") && tokens_.peek().kind != Token::Kind::end) tokens_.next();
    } else {
      symbols_[name.text] = expressions_.operand();
    }
    tokens_.expect(";");
  }

  void count() {
    if (!tokens_.accept("(")) return;
    if (tokens_.peek().kind != Token::Kind::number) tokens_.fail("the number of entries");
    tokens_.next();
    tokens_.expect(")");
  }

  // "(n) { entry entry … }"; on the first reading only the braces are matched.
  template <class Entry>
  void block(Entry entry) {
    count();
    tokens_.expect("{");
    if (declarations_) return skip_to_closing_brace();
    while (!tokens_.accept("}")) entry();
  }

  void skip_to_closing_brace() {
    for (int depth = 1; depth > 0; tokens_.next()) {
      if (tokens_.peek().kind == Token::Kind::end) tokens_.fail("'}'");
      if (tokens_.at("{")) ++depth;
      if (tokens_.at("}")) --depth;
    }
  }

  void conditions(std::vector<FormulaPtr>& list, const std::string& what) {
    list.push_back(expressions_.state_formula(what));
    if (!tokens_.at("}")) tokens_.expect(";");
  }

  void locations() {
    count();
    tokens_.expect("{");
    while (!tokens_.accept("}")) {
      const Token name = tokens_.expect_name("a location's name");
      Location location{name.text, {}};
      if (tokens_.accept(":")) {
        tokens_.expect("[");
        do {
          const bool negative = tokens_.accept("-");
          if (tokens_.peek().kind != Token::Kind::number) tokens_.fail("the value of a local variable");
          const std::int64_t value = tokens_.next().number;
          location.label.push_back(negative ? -value : value);
        } while (tokens_.accept(";") || tokens_.accept(","));
        tokens_.expect("]");
      }
      tokens_.expect(";");
      if (!declarations_) continue;
      declare(name);
      automaton_.locations.push_back(std::move(location));
    }
  }

  std::uint32_t variable(bool (Automaton::*is_kind)(std::uint32_t) const, const std::string& what) {
    const Token name = tokens_.peek();
    const auto symbol = symbols_.find(name.text);
    const bool plain = name.kind == Token::Kind::name && symbol != symbols_.end() && !symbol->second.is_formula &&
                       symbol->second.linear.terms().size() == 1 && symbol->second.linear.constant() == 0 &&
                       symbol->second.linear.terms().front().second == 1 && symbol->second.divisor == 1;
    if (!plain || !(automaton_.*is_kind)(symbol->second.linear.terms().front().first)) tokens_.fail(what);
    tokens_.next();
    return symbol->second.linear.terms().front().first;
  }

  void rule() {
    Rule rule;
    const Token& id = tokens_.peek();
    if (id.kind != Token::Kind::number && id.kind != Token::Kind::name) tokens_.fail("a rule's number");
    rule.line = line_of(id.offset);
    rule.id = tokens_.next().text;
    tokens_.expect(":");
    rule.source = variable(&Automaton::is_location, "the location where the rule starts");
    tokens_.expect("->");
    rule.target = variable(&Automaton::is_location, "the location where the rule ends");
    tokens_.expect("when");
    rule.guard = expressions_.state_formula("a guard");
    tokens_.expect("do");
    tokens_.expect("{");
    std::set<std::uint32_t> updated;
    while (!tokens_.accept("}")) update(rule, updated);
    if (!tokens_.at("}")) tokens_.expect(";");
    automaton_.rules.push_back(std::move(rule));
  }

  void update(Rule& rule, std::set<std::uint32_t>& updated) {
    if (tokens_.accept("unchanged")) {
      tokens_.expect("(");
      // Saying twice that a variable stays as it is contradicts nothing.
      std::set<std::uint32_t> unchanged;
      do {
        const std::uint32_t kept = variable(&Automaton::is_shared, "a shared variable");
        if (unchanged.insert(kept).second) note(kept, updated);
      } while (tokens_.accept(","));
      tokens_.expect(")");
    } else {
      const std::uint32_t target = variable(&Automaton::is_shared, "a shared variable, 'unchanged' or '}'");
      tokens_.expect("'");
      note(target, updated);
      if (!tokens_.accept("==") && !tokens_.accept(":=")) tokens_.expect("=");
      const std::size_t offset = tokens_.peek().offset;
      Expression value = expressions_.linear();
      if (extended_.has_unknown(value)) throw ParseFailure{offset, "read an unknown in an update, expected none there"};
      const Expression change = value - Expression(smt::IntVariable{target});
      if (!change.is_constant() || change.constant() != 0) rule.updates.push_back({target, std::move(value)});
    }
    if (!tokens_.at("}")) tokens_.expect(";");
  }

  void note(std::uint32_t variable, std::set<std::uint32_t>& updated) {
    if (!updated.insert(variable).second) {
      tokens_.fail(
          fmt::format("each variable once in a rule, and '{}' was named before", automaton_.variable_name(variable)));
    }
  }

  void specification() {
    Specification specification;
    const Token name = tokens_.expect_name("a specification's name");
    if (!specified_.insert(name.text).second) {
      throw ParseFailure{name.offset, fmt::format("read {} a second time, expected a new name", described(name))};
    }
    specification.name = name.text;
    tokens_.expect(":");
    specification.formula = expressions_.formula();
    if (!tokens_.at("}")) tokens_.expect(";");
    automaton_.specifications.push_back(std::move(specification));
  }

  const SourceText& source_;
  const ReadOptions& options_;
  TokenStream tokens_;
  ExpressionParser::Symbols symbols_;
  Automaton automaton_;
  ExtendedTerms extended_;
  ExpressionParser expressions_;
  std::set<std::string> declared_;
  std::set<std::string> specified_;  // properties have names of their own
  bool declarations_ = true;
  std::vector<std::size_t> line_ends_;
};

}  // namespace

Result<Automaton> parse_automaton(const SourceText& source, const ReadOptions& options) {
  Result<ExpandedText> expanded = expand_templates(source);
  if (!expanded) return tl::unexpected<Error>(expanded.error());
  Result<std::vector<Token>> tokens = tokens_of(source, *expanded);
  if (!tokens) return tl::unexpected<Error>(tokens.error());
  try {
    return Parser(source, std::move(*tokens), options).run();
  } catch (const ParseFailure& failure) {
    return bad_input(pointed_message(source, failure.offset, failure.message));
  }
}

Result<SourceText> read_source(const std::string& path) {
  constexpr std::size_t kMostBytes = std::size_t{16} << 20U;
  Result<std::string> text = read_text_file(path == "-" ? "/dev/stdin" : path, kMostBytes);
  if (!text) return tl::unexpected(text.error());
  return SourceText{path, *std::move(text)};
}

Result<Automaton> read_automaton(const std::string& path, const ReadOptions& options) {
  const Result<SourceText> source = read_source(path);
  if (!source) return tl::unexpected(source.error());
  return parse_automaton(*source, options);
}

}  // namespace nika::automata
