// Every expected verdict of the corpus beside the source tree, where it is present.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "nika/automata/explicit_search.hpp"
#include "nika/automata/parser.hpp"
#include "nika/automata/printer.hpp"
#include "nika/automata/symmetric_outcome.hpp"
#include "nika/automata/vacuity.hpp"

namespace nika::automata {
namespace {

const std::filesystem::path kCorpus = std::filesystem::path(NIKA_SOURCE_DIR) / "../shared/corpus/ta";

std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns;
  std::istringstream stream(line);
  for (std::string column; std::getline(stream, column, '\t');) columns.push_back(column);
  return columns;
}

// In the model of k-set agreement every rule to locD2 wants sD2 > 0, and no rule adds to it.
const std::map<std::string, std::string> kVacuous = {
    {"randomized/n-kset.ta agreement2", "it names 'locD2', which no run reaches"},
    {"randomized/n-kset.ta completeness2", "it names 'locD2', which no run reaches"},
    {"randomized/n-kset.ta univalent22", "its premise never holds: "},
};

// "a -> b", "!b -> !a" and "!a || b" say the same, with other premises; these are images of what is written otherwise.
const std::set<std::string> kOtherPremises = {"handwritten/bosco.ta lemma3_1", "randomized/p-rs-bosco.ta completeness0",
                                              "randomized/p-rs-bosco.ta completeness1"};

void expect_vacuity(const std::string& name, const Outcome& outcome) {
  const auto entry = kVacuous.find(name);
  EXPECT_EQ(outcome.vacuity_undecided, "") << name;
  EXPECT_EQ(outcome.vacuity.empty(), entry == kVacuous.end()) << name << " " << outcome.vacuity;
  if (entry == kVacuous.end()) return;
  EXPECT_EQ(outcome.vacuity.substr(0, entry->second.size()), entry->second) << name;
}

void expect_equal(const Outcome& by_symmetry, const Outcome& decided, const std::string& name) {
  EXPECT_EQ(by_symmetry.verdict, decided.verdict) << name;
  EXPECT_EQ(by_symmetry.vacuity.empty(), decided.vacuity.empty()) << name;
}

TEST(Corpus, EveryExpectedVerdictIsMet) {
  std::ifstream index(kCorpus / "INDEX.tsv");
  if (!index) GTEST_SKIP() << "no corpus at " << kCorpus;
  std::map<std::string, std::map<std::string, std::string>> expected;
  std::string line;
  std::getline(index, line);
  while (std::getline(index, line)) {
    const std::vector<std::string> columns = columns_of(line);
    if (columns.size() >= 3) expected[columns[0]][columns[1]] = columns[2];
  }
  for (const auto& [path, properties] : expected) {
    const Result<Automaton> automaton = read_automaton((kCorpus / path).string());
    ASSERT_TRUE(automaton) << automaton.error().message;
    const System system = prepare(*automaton, {});
    const auto images = find_images(*automaton);
    std::vector<Outcome> outcomes(images.size());
    for (std::size_t i = 0; i < images.size(); ++i) {
      const Specification& specification = automaton->specifications[i];
      const auto entry = properties.find(specification.name);
      if (entry == properties.end()) continue;
      outcomes[i] = judge_property(system, *specification.formula, {});
      expect_vacuity(path + " " + specification.name, outcomes[i]);
      const Verdict verdict = outcomes[i].verdict;
      if (images[i]) {
        const auto outcome = outcome_by_symmetry(*automaton, i, *images[i], outcomes[images[i]->of]);
        EXPECT_EQ(!outcome, kOtherPremises.count(path + " " + specification.name) == 1) << specification.name;
        if (outcome) expect_equal(*outcome, outcomes[i], path + " " + specification.name);
      }
      EXPECT_NE(verdict, Verdict::unknown) << path << " " << specification.name;
      if (entry->second == "unknown") continue;
      EXPECT_EQ(to_string(verdict), entry->second) << path << " " << specification.name;
    }
  }
}

TEST(Corpus, PropertiesOfTheTwoValuesPairUp) {
  if (!std::filesystem::exists(kCorpus)) GTEST_SKIP() << "no corpus at " << kCorpus;
  const std::map<std::string, std::vector<std::string>> expected = {
      {"handwritten/bosco.ta", {"one_step1", "lemma3_1", "lemma4_1", "fast1"}},
      {"handwritten/cc.ta", {"validity1"}},
      {"handwritten/naive-voting-byz.ta", {"validity1"}},
      {"mutants/bv-broadcast-FleT1.ta", {"obligation1", "justification1", "uniformity1"}},
      {"paper/bv-broadcast.ta", {"obligation1", "justification1", "uniformity1"}},
      {"paper/dbft.ta", {}},  // its two rounds decide different values
      {"promela/cf1s_case1.ta", {"one_step1"}},
      {"randomized/ben-or.ta", {"validity1", "agreement1", "univalent21", "univalent31"}},
      {"randomized/n-kset.ta", {"validity12", "completeness1", "univalent21"}},
      {"randomized/n-rabc.ta", {"validity1", "agreement1", "univalent21"}},
  };
  for (const auto& [path, names] : expected) {
    const Result<Automaton> automaton = read_automaton((kCorpus / path).string());
    ASSERT_TRUE(automaton) << automaton.error().message;
    const auto images = find_images(*automaton);
    std::vector<std::string> found;
    for (std::size_t i = 0; i < images.size(); ++i) {
      if (images[i]) found.push_back(automaton->specifications[i].name);
    }
    EXPECT_EQ(found, names) << path;
  }
}

// Its fairness premises forget the messages counted by scbot, and its undecided processes have no self-loop: the
// properties hold only because those may not stay where they are.
TEST(Corpus, SelfLoopsThatAreMissingAreToldOf) {
  const Result<Automaton> automaton = read_automaton((kCorpus / "randomized/p-rs-bosco.ta").string());
  if (!automaton) GTEST_SKIP() << "no corpus at " << kCorpus;
  const System system = prepare(*automaton, {});
  for (const Specification& specification : automaton->specifications) {
    const bool depends = specification.name == "round_term" || specification.name == "decide_or_flip";
    EXPECT_EQ(verify_property(system, *specification.formula, {}).note.empty(), !depends) << specification.name;
    if (!depends) continue;
    const ExplicitResult result = search_explicitly(*automaton, *specification.formula, {4, 4, 100'000, {}});
    EXPECT_EQ(result.answer, ExplicitAnswer::satisfied) << specification.name;
  }
}

TEST(Corpus, PrintedAutomataReadTheSame) {
  if (!std::filesystem::exists(kCorpus)) GTEST_SKIP() << "no corpus at " << kCorpus;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kCorpus)) {
    if (entry.path().extension() != ".ta") continue;
    const Result<Automaton> automaton = read_automaton(entry.path().string());
    ASSERT_TRUE(automaton) << automaton.error().message;
    const std::string once = printed(*automaton);
    const Result<Automaton> again = parse_automaton({"printed", once});
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(printed(*again), once) << entry.path();
  }
}

TEST(Corpus, TemplatesExpandToTheAutomataWrittenOut) {
  for (const std::string name : {"bv-broadcast", "dbft"}) {
    const Result<Automaton> written = read_automaton((kCorpus / "paper" / (name + ".ta")).string());
    const Result<Automaton> expanded = read_automaton((kCorpus / "paper" / (name + ".mako.ta")).string());
    if (!written || !expanded) GTEST_SKIP() << "no corpus at " << kCorpus;
    EXPECT_EQ(printed(*expanded), printed(*written));
  }
}

}  // namespace
}  // namespace nika::automata
