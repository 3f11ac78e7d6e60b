#include "nika/cli/verify_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "nika/automata/printer.hpp"
#include "nika/automata/symmetry_search.hpp"
#include "nika/base/text_file.hpp"
#include "nika/base/version.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/cli/console.hpp"
#include "nika/cli/run.hpp"
#include "nika/cli/verify_certificate.hpp"
#include "nika/cli/verify_workers.hpp"
#include "nika/smt/smtlib.hpp"

namespace nika::cli {
namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20U;

struct Query {
  std::string file, property, solver, fingerprint;
};

struct Claim {
  std::string name, formula, verdict, by_symmetry_with;
  std::vector<std::string> queries;
};

struct Manifest {
  std::string model_file, model_fingerprint, division, tool_version;
  std::vector<Query> queries;
  std::vector<Claim> claims;  // the properties that it is about
  bool is_unchanged = true;
};

// A name of a file in the directory, and nothing that leads out of it.
std::string plain_name(const Json& json) {
  auto name = json.get<std::string>();
  if (name.empty() || name.starts_with(".") || name.find('/') != name.npos) {
    throw std::invalid_argument("it names a file outside of the directory");
  }
  return name;
}

Manifest manifest_of(const Json& json) {
  Manifest manifest;
  if (json.at("format") != kCertificateFormat) throw std::invalid_argument("it is no certificate");
  if (json.at("format_version") != kCertificateVersion) {
    throw std::invalid_argument(fmt::format("it is not of version {}", kCertificateVersion));
  }
  manifest.tool_version = json.at("tool_version").get<std::string>();
  manifest.model_file = plain_name(json.at("model").at("file"));
  manifest.model_fingerprint = json.at("model").at("fingerprint").get<std::string>();
  manifest.division = json.at("division").get<std::string>();
  for (const Json& entry : json.at("queries")) {
    if (entry.at("expected") != "unsat") throw std::invalid_argument("a query expects something else than unsat");
    const Json& property = entry.at("property");
    manifest.queries.push_back({plain_name(entry.at("file")), property.is_null() ? "" : property.get<std::string>(),
                                entry.at("solver").get<std::string>(), entry.at("fingerprint").get<std::string>()});
  }
  for (const Json& entry : json.at("properties")) {
    if (!entry.at("certified").get<bool>()) continue;
    Claim claim{entry.at("name").get<std::string>(), entry.at("formula").get<std::string>(),
                entry.at("verdict").get<std::string>(), entry.value("by_symmetry_with", ""),
                entry.at("queries").get<std::vector<std::string>>()};
    manifest.claims.push_back(std::move(claim));
  }
  manifest.is_unchanged = json.at("fingerprint") == manifest_fingerprint(json);
  return manifest;
}

class Check {
 public:
  explicit Check(const CheckRequest& request) : request_(request) {}

  Result<int> run() {
    const Watch watch;
    if (auto read = read_manifest(); !read) return tl::unexpected(read.error());
    if (!manifest_.is_unchanged) refute(kManifestFile, "", "it was changed: its fingerprint is another");
    if (auto model = check_model(); !model) return tl::unexpected(model.error());
    for (const Query& query : manifest_.queries) {
      if (auto checked = check(query); !checked) return tl::unexpected(checked.error());
    }
    for (const Claim& claim : manifest_.claims) check_references(claim);
    if (!has_been_refuted()) ask_again(*automaton_);
    tell(watch.seconds());
    return verdict() == "confirmed" ? 0 : verdict() == "refuted" ? kExitViolated : exit_code_of(Verdict::kUnknown);
  }

 private:
  struct Problem {
    std::string file, property, text;
    bool refutes = true;
  };

  void refute(const std::string& file, const std::string& property, const std::string& text) {
    problems_.push_back({file, property, text, true});
  }

  Result<std::string> text_of(const std::string& file) const {
    return read_text_file((std::filesystem::path(request_.directory) / file).string(), kMostBytes);
  }

  Result<void> read_manifest() {
    const Result<std::string> text = text_of(kManifestFile);
    if (!text) return tl::unexpected(text.error());
    try {
      manifest_ = manifest_of(Json::parse(*text));
    } catch (const std::exception& error) {
      return bad_input(fmt::format("{}/{}: {}, expected a manifest as --certificate writes it", request_.directory,
                                   kManifestFile, error.what()));
    }
    return {};
  }

  void doubt(const std::string& file, const std::string& property, const std::string& text) {
    problems_.push_back({file, property, text, false});
  }

  // The text that the fingerprint is of, and properties that are written in it, with the questions that it asks.
  Result<void> check_model() {
    const Result<std::string> text = text_of(manifest_.model_file);
    if (!text) return tl::unexpected(text.error());
    if (fingerprint_text(*text) != manifest_.model_fingerprint) {
      refute(manifest_.model_file, "", "it was changed: its fingerprint is another");
      return {};
    }
    automata::ReadOptions options;
    if (manifest_.division == "floor") options.division = automata::DivisionMeaning::floor;
    auto automaton = automata::parse_automaton({manifest_.model_file, *text}, options);
    if (!automaton) return tl::unexpected(automaton.error());
    for (const Claim& claim : manifest_.claims) check_claim(*automaton, claim);
    note_uncovered(*automaton);
    automaton_ = *std::move(automaton);
    return {};
  }

  void note_uncovered(const automata::Automaton& automaton) {
    for (const automata::Specification& property : automaton.specifications) {
      const bool is_claimed = std::any_of(manifest_.claims.begin(), manifest_.claims.end(),
                                          [&](const Claim& claim) { return claim.name == property.name; });
      if (!is_claimed) uncovered_.push_back(property.name);
    }
  }

  // Makes the questions of the model once more: those of the certificate must be the same, none left out.
  void ask_again(const automata::Automaton& automaton) {
    if (manifest_.claims.empty()) return;
    if (manifest_.tool_version != version()) {
      return doubt(kManifestFile, "",
                   fmt::format("it is of version {}, so whether the model asks these questions is "
                               "not known to version {}",
                               manifest_.tool_version, version()));
    }
    automata::Automaton claimed = automaton;
    std::erase_if(claimed.specifications, [&](const automata::Specification& property) {
      return std::none_of(manifest_.claims.begin(), manifest_.claims.end(), [&](const Claim& claim) {
        return claim.name == property.name && claim.by_symmetry_with.empty();
      });
    });
    const WorkResult work = verify_all(claimed, recording_order());
    if (work.abandoned) leave_without_waiting();
    for (const smt::Refutation& refutation : work.preparation) compare(refutation, "", "all properties");
    for (std::size_t i = 0; i < claimed.specifications.size(); ++i) {
      const std::string& name = claimed.specifications[i].name;
      const automata::Outcome& outcome = work.properties[i].outcome;
      if (outcome.verdict == automata::Verdict::violated) refute(kModelFile, name, "it does not hold");
      if (outcome.verdict == automata::Verdict::unknown) {
        doubt(kModelFile, name, "its question could not be made again: " + outcome.reason);
      }
      if (outcome.verdict != automata::Verdict::holds) continue;
      if (outcome.proof) {
        compare(*outcome.proof, name, name);
      } else if (!can_never_start(work)) {
        doubt(kModelFile, name, "no single question settles it");
      }
    }
  }

  static bool can_never_start(const WorkResult& work) {
    return std::any_of(work.preparation.begin(), work.preparation.end(),
                       [](const smt::Refutation& refutation) { return refutation.about == kNothingCanStart; });
  }

  WorkOrder recording_order() const {
    WorkOrder order;
    const std::string solver = manifest_.queries.empty() ? "z3" : manifest_.queries.back().solver;
    order.options.backend = solver == "cvc5"   ? smt::Backend::cvc5
                            : solver == "both" ? smt::Backend::both
                                               : smt::Backend::z3;
    order.options.records = true;
    order.options.minimise = false;
    order.options.budget = request_.budget;
    order.symmetry = false;
    return order;
  }

  // The certificate must have this question, word by word.
  void compare(const smt::Refutation& refutation, const std::string& property, const std::string& whose) {
    const std::string remark = fmt::format("{}: {}", whose, refutation.about);
    const std::string fingerprint = fingerprint_text(smt::smtlib_text(refutation.formulas, remark));
    const bool is_there = std::any_of(manifest_.queries.begin(), manifest_.queries.end(), [&](const Query& query) {
      return query.property == property && query.fingerprint == fingerprint;
    });
    if (!is_there)
      refute(kManifestFile, property, fmt::format("it lacks a question of the model: {}", refutation.about));
  }

  void check_claim(const automata::Automaton& automaton, const Claim& claim) {
    const auto find = [&](const std::string& name) {
      return std::find_if(automaton.specifications.begin(), automaton.specifications.end(),
                          [&](const automata::Specification& other) { return other.name == name; });
    };
    const auto found = find(claim.name);
    if (found == automaton.specifications.end() || printed(automaton, *found->formula) != claim.formula) {
      return refute(kManifestFile, claim.name, "the model has no such property");
    }
    if (claim.by_symmetry_with.empty()) return;
    const auto original = find(claim.by_symmetry_with);
    if (original == automaton.specifications.end()) {
      return refute(kManifestFile, claim.name, "the model has no property that it could be an image of");
    }
    // Only the two, so that the one is not taken for an image of a third.
    automata::Automaton pair = automaton;
    pair.specifications = {*original, *found};
    if (!automata::find_images(pair)[1]) {
      refute(kManifestFile, claim.name, fmt::format("no symmetry maps {} to it", claim.by_symmetry_with));
    }
  }

  // Whatever a property rests on is a query of its own, or of the preparation, or of the property that it is an image
  // of.
  void check_references(const Claim& claim) {
    const std::string& origin = claim.by_symmetry_with.empty() ? claim.name : claim.by_symmetry_with;
    const bool is_known = std::all_of(claim.queries.begin(), claim.queries.end(), [&](const std::string& file) {
      return std::any_of(manifest_.queries.begin(), manifest_.queries.end(), [&](const Query& query) {
        return query.file == file && (query.property == origin || query.property.empty());
      });
    });
    if (claim.queries.empty() || !is_known) refute(kManifestFile, claim.name, "it rests on no query of its own");
  }

  Result<void> check(const Query& query) {
    const Result<std::string> text = text_of(query.file);
    if (!text) return tl::unexpected(text.error());
    if (fingerprint_text(*text) != query.fingerprint) {
      refute(query.file, query.property, "it was changed: its fingerprint is another");
      return {};
    }
    const auto formulas = smt::parse_smtlib(query.file, *text);
    if (!formulas) return tl::unexpected(formulas.error());
    bool is_confirmed = true;
    for (const smt::Backend backend : others_than(query.solver)) {
      is_confirmed = ask(query, *formulas, backend) && is_confirmed;
    }
    if (is_confirmed) ++confirmed_;
    return {};
  }

  // What two solvers have answered both are asked again.
  static std::vector<smt::Backend> others_than(const std::string& solver) {
    if (solver == "z3") return {smt::Backend::cvc5};
    if (solver == "cvc5") return {smt::Backend::z3};
    return {smt::Backend::z3, smt::Backend::cvc5};
  }

  bool ask(const Query& query, const std::vector<smt::Formula>& formulas, smt::Backend backend) {
    const auto solver = smt::make_solver(backend);
    for (const smt::Formula& formula : formulas) solver->add(formula);
    const smt::Answer answer = solver->check(request_.budget);
    const std::string name = backend == smt::Backend::z3 ? "z3" : "cvc5";
    if (answer == smt::Answer::satisfiable) refute(query.file, query.property, name + " finds it satisfiable");
    if (answer == smt::Answer::unknown) {
      doubt(query.file, query.property, fmt::format("{} does not know: {}", name, solver->reason()));
    }
    return answer == smt::Answer::unsatisfiable;
  }

  bool has_been_refuted() const {
    return std::any_of(problems_.begin(), problems_.end(), [](const Problem& problem) { return problem.refutes; });
  }

  std::string_view verdict() const {
    if (has_been_refuted()) return "refuted";
    return problems_.empty() && !manifest_.claims.empty() ? "confirmed" : "unknown";
  }

  void tell(double seconds) const {
    if (request_.json) return print_json(report(seconds));
    for (const Problem& problem : problems_) {
      fmt::print("{}: {}{}\n", problem.file, problem.property.empty() ? "" : problem.property + ": ", problem.text);
    }
    for (const Claim& claim : manifest_.claims) {
      const std::string way = claim.by_symmetry_with.empty() ? "" : "  by symmetry with " + claim.by_symmetry_with;
      fmt::print("{}  {}{}\n", claim.name, claim.verdict, way);
    }
    if (!uncovered_.empty()) fmt::print("it says nothing of {}\n", fmt::join(uncovered_, ", "));
    if (manifest_.claims.empty()) fmt::print("no property in it holds, so there is nothing to confirm\n");
    fmt::print("{}: the other solver confirms {} of {} queries, {:.3f} s\n", verdict(), confirmed_,
               manifest_.queries.size(), seconds);
  }

  Json report(double seconds) const {
    Json report = {{"command", "verify"},
                   {"mode", "check"},
                   {"verdict", verdict()},
                   {"tool_version", manifest_.tool_version},
                   {"queries", manifest_.queries.size()},
                   {"confirmed", confirmed_},
                   {"properties", Json::array()},
                   {"uncovered", uncovered_},
                   {"problems", Json::array()},
                   {"seconds", std::round(seconds * 1e6) / 1e6}};
    for (const Claim& claim : manifest_.claims) {
      Json entry = {{"name", claim.name}, {"verdict", claim.verdict}, {"queries", claim.queries}};
      if (!claim.by_symmetry_with.empty()) entry["by_symmetry_with"] = claim.by_symmetry_with;
      report["properties"].push_back(std::move(entry));
    }
    for (const Problem& problem : problems_) {
      report["problems"].push_back({{"file", problem.file},
                                    {"property", problem.property.empty() ? Json(nullptr) : Json(problem.property)},
                                    {"problem", problem.text}});
    }
    return report;
  }

  const CheckRequest& request_;
  Manifest manifest_;
  std::vector<Problem> problems_;
  std::optional<automata::Automaton> automaton_;  // if the model is the one that it was
  std::vector<std::string> uncovered_;            // properties of the model
  std::size_t confirmed_ = 0;
};

}  // namespace

Result<int> run_check(const CheckRequest& request) { return Check(request).run(); }

}  // namespace nika::cli
