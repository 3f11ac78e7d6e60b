// nika verify: synthesis, the two meanings of a division, and certificates.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "nika/cli/run.hpp"
#include "nika/cli/verify_certificate.hpp"
#include "nika/smt/smtlib.hpp"

namespace nika::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kSketch = R"(skel P { shared x; parameters n, t; unknowns a, b; assumptions { n > 2 * t; t >= 1; }
  locations { l; m; done; }
  inits { l == n; m == 0; done == 0; x == 0; }
  rules { 1: l -> m when (true) do { x' == x + 1; }; 2: m -> done when (x >= a * t + b) do {}; }
  specifications {
    safe: [](done == 0 || x >= t + 1);
    live: <>[](l == 0 && (m == 0 || x < a * t + b)) -> <>(done == n); } })";

constexpr const char* kHalves = R"(skel P { shared x; parameters n; assumptions { n >= 1; } locations { l; m; d; }
  inits { l == n; m == 0; d == 0; x == 0; }
  rules { 1: l -> m when (true) do { x' == x + 1; }; 2: m -> d when (x >= n / 2) do {}; }
  specifications { half: [](d == 0 || 2 * x >= n); } })";

// Two kinds that behave alike, one property that is violated, and a rule that can never fire.
constexpr const char* kModel = R"(skel P { shared x0, x1; parameters n, t; assumptions { n > 2 * t; t >= 1; }
  locations { a; b0; b1; c0; c1; } inits { a == n; b0 == 0; b1 == 0; c0 == 0; c1 == 0; x0 == 0; x1 == 0; }
  rules {
% for v in [0, 1]:
    1: a -> b${v} when (true) do { x${v}' == x${v} + 1; };
    2: b${v} -> c${v} when (x${v} >= n - t) do {};
    3: a -> c${v} when (x${v} >= 0 && n <= t) do {};
% endfor
  }
  specifications {
% for v in [0, 1]:
    safe${v}: [](c${v} == 0 || x${v} >= n - t);
% endfor
    one: [](c0 == 0 || c1 == 0);
    never: [](c0 == 0); } })";

struct CommandRun {
  int exit_code = 0;
  std::string output, errors;
};

class VerifyFurther : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder = fs::temp_directory_path() / (std::string("nika_verify_further_") + info->name());
    fs::remove_all(folder);
    fs::create_directory(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string write(const std::string& text, const std::string& name = "model.ta") const {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  }
  std::string path(const std::string& name) const { return (folder / name).string(); }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder / name).rdbuf();
    return text.str();
  }

  static CommandRun run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"nika", "verify"});
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    CommandRun result;
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    result.exit_code = cli::run(static_cast<int>(argv.size()), argv.data(), Registry());
    result.output = testing::internal::GetCapturedStdout();
    result.errors = testing::internal::GetCapturedStderr();
    return result;
  }

  // A certificate in "proof" of kModel.
  void certify(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {write(kModel), "--certificate", path("proof")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(run(arguments).exit_code, 1);
  }
  Json manifest() const { return Json::parse(read("proof/manifest.json")); }
  void write_manifest(Json manifest, bool with_fingerprint) const {
    if (with_fingerprint) manifest["fingerprint"] = manifest_fingerprint(manifest);
    write(manifest.dump(), "proof/manifest.json");
  }
  std::vector<std::string> problems() const {
    std::vector<std::string> texts;
    const Json report = Json::parse(run({"--check", path("proof"), "--json"}).output);
    for (const Json& problem : report["problems"]) {
      texts.push_back(problem["file"].get<std::string>() + ": " + problem["problem"].get<std::string>());
    }
    return texts;
  }

  fs::path folder;
};

TEST_F(VerifyFurther, SynthesisTellsAllSolutions) {
  const std::string file = write(kSketch);
  const CommandRun text = run({file, "--synthesize", "--bounds", "0..3"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_NE(text.output.find("unknowns: a in 0..3, b in 0..3\nsolution: a = 1, b = 1\nsolution: a = 1, b = 2\n"
                             "solution: a = 2, b = 0\nsolution: a = 2, b = 1\n4 solutions; "),
            std::string::npos)
      << text.output;
  const auto report = Json::parse(run({file, "--synthesize", "--bounds=-1..1", "--json"}).output);
  EXPECT_EQ(report["command"], "verify");
  EXPECT_EQ(report["mode"], "synthesis");
  EXPECT_EQ(report["verdict"], "found");
  EXPECT_EQ(report["solutions"], Json::parse(R"([{"values": {"a": 1, "b": 1}, "vacuous": []}])"));
  EXPECT_EQ(report["unknowns"][1], Json::parse(R"({"name": "b", "least": -1, "most": 1})"));
  EXPECT_EQ(report["tried"], report["learned"].get<int>() + 1);
  EXPECT_EQ(report["complete"], true);
}

TEST_F(VerifyFurther, SynthesisTellsThatThereIsNone) {
  const std::string file = write(kSketch);
  const CommandRun none = run({file, "--synthesize", "--bounds", "0..0"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_NE(none.output.find("\nno solution; 1 choice tried, 1 counterexample learned from, "), std::string::npos);
  const auto report = Json::parse(run({file, "--synthesize", "--bounds", "0..0", "--json"}).output);
  EXPECT_EQ(report["verdict"], "none");
  EXPECT_EQ(report["solutions"], Json::array());
  // One property alone asks for less.
  EXPECT_EQ(run({file, "--synthesize", "--bounds", "0..0", "--property", "live"}).exit_code, 0);
}

TEST_F(VerifyFurther, SynthesisWithoutTimeIsUnknown) {
  const CommandRun result = run({write(kSketch), "--synthesize", "--timeout", "0.000001", "--json"});
  EXPECT_EQ(result.exit_code, 3);
  const auto report = Json::parse(result.output);
  EXPECT_EQ(report["verdict"], "unknown");
  EXPECT_EQ(report["reason"], "out of time");
}

TEST_F(VerifyFurther, WrongUsageIsOneLine) {
  const std::string sketch = write(kSketch);
  const std::string model = write(kHalves, "halves.ta");
  const auto expect_refused = [](const CommandRun& result, const std::string& message) {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(result.errors, "nika: " + message + "\n");
  };
  expect_refused(run({sketch}),
                 sketch + ":1:37: read 'unknowns', expected no unknowns: give each its value, or --synthesize");
  expect_refused(run({model, "--synthesize"}), model + ": has no unknowns, expected some to synthesize");
  expect_refused(run({model, "--bounds", "1..2"}), "--bounds is for --synthesize only");
  for (const std::string bounds : {"3", "3..1", "a..b", "1...2", "0..100000", "1..2x"}) {
    expect_refused(run({sketch, "--synthesize", "--bounds", bounds}),
                   "read --bounds '" + bounds + "', expected LO..HI with whole numbers from -10000 to 10000");
  }
  expect_refused(run({}), "FILE is missing, expected a .ta file or -");
  expect_refused(run({model, "--check", folder.string()}),
                 "--check DIR reads all from DIR, expected neither FILE, --certificate nor --synthesize");
}

TEST_F(VerifyFurther, SketchesCanBePrinted) {
  const CommandRun result = run({write(kSketch), "--print"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.output.find("  unknowns a, b;\n"), std::string::npos);
  EXPECT_NE(result.output.find("when (x >= b + a * t)"), std::string::npos);
}

TEST_F(VerifyFurther, DivisionsAreExactOrRoundedDown) {
  const std::string file = write(kHalves);
  EXPECT_EQ(run({file, "--division", "exact"}).exit_code, 0);
  const CommandRun floor = run({file, "--division", "floor"});
  EXPECT_EQ(floor.exit_code, 1);
  EXPECT_NE(floor.output.find("with n = 3, floor1 = 1\n"), std::string::npos) << floor.output;
  EXPECT_EQ(floor.errors, "");
}

TEST_F(VerifyFurther, UnevenDivisionsAreWarnedOf) {
  const std::string file = write(kHalves);
  const CommandRun text = run({file});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_EQ(text.errors.find("nika: warning: " + file + ":3:75: (n) / 2 does not come out even, as with n = "), 0U)
      << text.errors;
  EXPECT_EQ(run({file, "--division", "exact"}).errors, "");
  const auto report = Json::parse(run({file, "--json"}).output);
  ASSERT_EQ(report["warnings"].size(), 1U);
  std::string even = kHalves;
  even.replace(even.find("n / 2"), 5, "4 * n / 2");
  EXPECT_EQ(run({write(even, "even.ta")}).errors, "");
}

TEST_F(VerifyFurther, TheOtherSolverConfirmsACertificate) {
  for (const std::string solver : {"z3", "cvc5", "both"}) {
    fs::remove_all(folder / "proof");
    certify({"--solver", solver});
    const CommandRun text = run({"--check", path("proof")});
    EXPECT_EQ(text.exit_code, 0) << text.output << text.errors;
    EXPECT_NE(text.output.find("safe1  holds  by symmetry with safe0\n"), std::string::npos) << text.output;
  }
}

TEST_F(VerifyFurther, TheManifestSaysWhatEachFileIs) {
  certify();
  const Json manifest = this->manifest();
  EXPECT_EQ(manifest["format"], "nika certificate");
  EXPECT_EQ(manifest["model"]["original"], "model.ta");
  EXPECT_EQ(manifest["model"]["fingerprint"], fingerprint_text(kModel));
  EXPECT_EQ(read("proof/model.ta"), kModel);
  std::size_t of_properties = 0;
  std::size_t of_preparation = 0;
  for (const Json& query : manifest["queries"]) {
    EXPECT_EQ(query["expected"], "unsat");
    EXPECT_EQ(query["solver"], "z3");
    EXPECT_EQ(query["fingerprint"], fingerprint_text(read("proof/" + query["file"].get<std::string>())));
    (query["property"].is_null() ? of_preparation : of_properties) += 1;
  }
  EXPECT_EQ(of_properties, 2U);  // safe0 and one
  EXPECT_GT(of_preparation, 5U);
  const auto files =
      static_cast<std::size_t>(std::distance(fs::directory_iterator(folder / "proof"), fs::directory_iterator{}));
  EXPECT_EQ(files, manifest["queries"].size() + 2);
  const Json& image = manifest["properties"][1];
  EXPECT_EQ(image["by_symmetry_with"], "safe0");
  EXPECT_EQ(image["queries"], manifest["properties"][0]["queries"]);
  EXPECT_EQ(manifest["properties"][3]["verdict"], "violated");
  EXPECT_EQ(manifest["properties"][3]["certified"], false);
  const auto report = Json::parse(run({"--check", path("proof"), "--json"}).output);
  EXPECT_EQ(report["verdict"], "confirmed");
  EXPECT_EQ(report["confirmed"], manifest["queries"].size());
  EXPECT_EQ(report["properties"].size(), 3U);
}

TEST_F(VerifyFurther, AChangedQueryIsRefuted) {
  certify();
  const std::string file = "proof/property-0001.smt2";
  const std::string text = read(file);
  write(text + "; nothing\n", file);
  EXPECT_EQ(run({"--check", path("proof")}).exit_code, 1);
  EXPECT_EQ(problems(), std::vector<std::string>{"property-0001.smt2: it was changed: its fingerprint is another"});
  write(text, file);
  EXPECT_EQ(run({"--check", path("proof")}).exit_code, 0);
}

// Fingerprints and all: then the other solver notices, since less is asked.
TEST_F(VerifyFurther, AQueryThatIsSatisfiableIsRefuted) {
  certify();
  Json manifest = this->manifest();
  for (Json& query : manifest["queries"]) {
    if (query["file"] != "property-0001.smt2") continue;
    const std::string weaker = "(set-logic QF_LIA)\n(declare-fun i0 () Int)\n(assert (>= i0 0))\n(check-sat)\n";
    write(weaker, "proof/property-0001.smt2");
    query["fingerprint"] = fingerprint_text(weaker);
  }
  write_manifest(manifest, true);
  EXPECT_EQ(run({"--check", path("proof")}).exit_code, 1);
  EXPECT_EQ(problems(), std::vector<std::string>{"property-0001.smt2: cvc5 finds it satisfiable"});
}

TEST_F(VerifyFurther, AChangedManifestOrModelIsRefuted) {
  certify();
  const Json good = manifest();
  Json changed = good;
  changed["properties"][2]["name"] = "two";
  write_manifest(changed, false);
  EXPECT_EQ(problems(), (std::vector<std::string>{"manifest.json: it was changed: its fingerprint is another",
                                                  "manifest.json: the model has no such property",
                                                  "manifest.json: it rests on no query of its own"}));
  changed = good;
  changed["properties"][1]["by_symmetry_with"] = "one";
  write_manifest(changed, true);
  EXPECT_EQ(problems(), (std::vector<std::string>{"manifest.json: no symmetry maps one to it",
                                                  "manifest.json: it rests on no query of its own"}));
  changed = good;
  changed["properties"][3]["certified"] = true;
  changed["properties"][3]["verdict"] = "holds";
  write_manifest(changed, true);
  EXPECT_EQ(problems(), std::vector<std::string>{"manifest.json: it rests on no query of its own"});
  write_manifest(good, true);
  write(std::string(kModel) + "\n", "proof/model.ta");
  EXPECT_EQ(problems(), std::vector<std::string>{"model.ta: it was changed: its fingerprint is another"});
  EXPECT_EQ(run({"--check", path("proof")}).exit_code, 1);
}

// Fingerprints and all, so that every question in it has no answer; but they are not the questions of the model.
TEST_F(VerifyFurther, ACertificateOfOtherQuestionsIsRefuted) {
  certify();
  const Json good = manifest();
  Json changed = good;
  const std::string file = "proof/property-0001.smt2";
  const std::string text = read(file);
  const std::string easier = smt::smtlib_text({smt::Formula(false)}, "safe0: no run violates it");
  write(easier, file);
  for (Json& query : changed["queries"]) {
    if (query["file"] == "property-0001.smt2") query["fingerprint"] = fingerprint_text(easier);
  }
  write_manifest(changed, true);
  const std::string lacks = "manifest.json: it lacks a question of the model: ";
  EXPECT_EQ(problems(),
            std::vector<std::string>{lacks + "no run violates it, up to reordering: 1 blocks, 0 loop blocks"});
  write(text, file);
  changed = good;
  changed["queries"].erase(0);
  write_manifest(changed, true);
  EXPECT_EQ(problems(), std::vector<std::string>{lacks + good["queries"][0]["about"].get<std::string>()});
  EXPECT_EQ(run({"--check", path("proof")}).exit_code, 1);
}

TEST_F(VerifyFurther, WhatACertificateLeavesOutIsTold) {
  certify();
  Json changed = manifest();
  changed["properties"].erase(2);
  write_manifest(changed, true);
  const CommandRun text = run({"--check", path("proof")});
  EXPECT_NE(text.output.find("\nit says nothing of one, never\n"), std::string::npos) << text.output;
  const auto report = Json::parse(run({"--check", path("proof"), "--json"}).output);
  EXPECT_EQ(report["uncovered"], (Json{"one", "never"}));
}

TEST_F(VerifyFurther, WhetherQuestionsOfAnotherVersionAreTheModelsIsUnknown) {
  certify();
  Json changed = manifest();
  changed["tool_version"] = "0.0.1";
  write_manifest(changed, true);
  EXPECT_EQ(run({"--check", path("proof")}).exit_code, 3);
}

// That a round ends holds also with some missing; that all are there needs everybody to enter it.
TEST_F(VerifyFurther, RoundsThatEndWithSomeMissingLetEverybodyEnterTheNext) {
  const std::string file = write(R"(skel P { shared x; parameters n; assumptions { n >= 1; } locations { a; b; c; d; }
    inits { a + b == n; c == 0; d == 0; x == 0; }
    rules { 1: a -> c when (true) do { x' == x + 1; }; 2: b -> d when (true) do {}; }
    specifications { end: <>[](a == 0 && b == 0) -> <>(a + b == 0); all: [](a + b + c + d == n); } })");
  const auto report = Json::parse(run({file, "--json", "--rounds", "c -> a; d -> b"}).output);
  EXPECT_EQ(report["properties"][0]["all_rounds"]["text"], "in every round");
  EXPECT_EQ(report["properties"][1]["all_rounds"]["text"],
            "in every round, if everybody goes on and all rounds before it are fair as end says");
}

TEST_F(VerifyFurther, WhatIsNoCertificateIsBadInput) {
  const auto expect_refused = [&](const std::string& beginning) {
    const CommandRun result = run({"--check", path("proof")});
    EXPECT_EQ(result.exit_code, 2) << result.output;
    EXPECT_EQ(result.errors.find("nika: " + beginning), 0U) << result.errors;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1);
  };
  expect_refused(path("proof/manifest.json"));
  certify();
  const Json good = manifest();
  fs::remove(folder / "proof/preparation-0001.smt2");
  expect_refused(path("proof/preparation-0001.smt2"));
  for (const std::string field : {"format", "queries", "model", "fingerprint"}) {
    Json bad = good;
    bad.erase(field);
    write_manifest(bad, false);
    expect_refused(path("proof/manifest.json"));
  }
  Json outside = good;
  outside["queries"][0]["file"] = "../model.ta";
  write_manifest(outside, true);
  expect_refused(path("proof/manifest.json") + ": it names a file outside of the directory");
  write("not json", "proof/manifest.json");
  expect_refused(path("proof/manifest.json"));
}

TEST_F(VerifyFurther, WithoutTimeACheckIsUnknown) {
  certify();
  const CommandRun result = run({"--check", path("proof"), "--timeout", "0.000001", "--json"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(Json::parse(result.output)["verdict"], "unknown");
}

TEST_F(VerifyFurther, NothingThatHoldsIsNothingToConfirm) {
  EXPECT_EQ(run({write(kModel), "--property", "never", "--certificate", path("proof")}).exit_code, 1);
  EXPECT_EQ(run({"--check", path("proof")}).exit_code, 3);
}

TEST_F(VerifyFurther, ACertificateReplacesNothing) {
  fs::create_directory(folder / "proof");
  certify();  // an empty directory may become one
  const CommandRun again = run({path("model.ta"), "--certificate", path("proof")});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_EQ(again.output, "");
  EXPECT_EQ(again.errors, "nika: " + path("proof") + " is there already, expected a new or an empty directory\n");
  EXPECT_EQ(run({path("model.ta"), "--certificate", path("missing/proof")}).exit_code, 2);
  // Nothing half-made is left beside it.
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator{}), 2);
}

TEST_F(VerifyFurther, DivisionsAreConfirmedAsTheyWereMeant) {
  std::string text = kHalves;
  text.replace(text.find("2 * x >= n"), 10, "2 * x + 1 >= n");
  const std::string file = write(text);
  EXPECT_EQ(run({file, "--division", "floor", "--certificate", path("proof")}).exit_code, 0);
  EXPECT_EQ(run({"--check", path("proof")}).exit_code, 0);
  EXPECT_EQ(manifest()["division"], "floor");
}

}  // namespace
}  // namespace nika::cli
