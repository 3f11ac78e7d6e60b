#include "tidy/layers.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <utility>

namespace nika::tidy {
namespace {

SourceFile file_with(std::string path, std::string_view include) {
  return parse_source(std::move(path), "#include " + std::string(include) + "\n");
}

TEST(Layers, TheTableNamesOnlyFoldersBelow) {
  for (const Layer& layer : layers()) {
    EXPECT_FALSE(layer.allows(layer.folder)) << layer.folder;
    bool below = true;
    std::size_t allowed = 0;
    for (const Layer& other : layers()) {
      below = below && other.folder != layer.folder;
      EXPECT_TRUE(below || !layer.allows(other.folder)) << layer.folder << " includes upward to " << other.folder;
      allowed += layer.allows(other.folder) ? 1 : 0;
    }
    EXPECT_EQ(allowed, layer.may_include.size()) << layer.folder << " names an unknown folder";
  }
}

TEST(Layers, ALineIsAFolderItsMarksAndWhatItMayInclude) {
  const std::vector<Layer> layers = read_layers("# a comment\na repeatable:\nb threads repeatable: a\nc: a b\n");
  ASSERT_EQ(layers.size(), 3U);
  EXPECT_EQ(layers[0].folder, "a");
  EXPECT_TRUE(layers[0].deterministic);
  EXPECT_FALSE(layers[0].has_threads);
  EXPECT_TRUE(layers[0].may_include.empty());
  EXPECT_TRUE(layers[1].deterministic && layers[1].has_threads);
  EXPECT_EQ(layers[2].may_include, (std::vector<std::string_view>{"a", "b"}));
}

TEST(Layers, TheDocumentationQuotesTheTable) {
  std::string table;
  for (std::string_view rest = layer_table(); !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n') + 1);
    rest.remove_prefix(line.size());
    if (!line.starts_with('#')) table += line;
  }
  std::ifstream file(NIKA_ARCHITECTURE);
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(page.find("```\n" + table + "```\n"), std::string::npos) << table;
}

TEST(Layers, AnIncludeMayBeIndented) {
  for (const char* line :
       {"  #include \"nika/cli/x.hpp\"\n", "#  include \"nika/cli/x.hpp\"\n", " # include <nika/cli/x.hpp>\n"}) {
    EXPECT_EQ(check_includes(parse_source("src/nika/base/a.cpp", line)),
              (Violations{{"src/nika/base/a.cpp", 1, "base may not include cli"}}));
  }
}

// They hold the definitions of templates, and are headers like all others.
TEST(Layers, DefinitionsOfTemplatesAreHeaders) {
  EXPECT_EQ(check_includes(file_with("src/nika/sim/world_inl.hpp", "\"nika/explore/x.hpp\"")),
            (Violations{{"src/nika/sim/world_inl.hpp", 1, "sim may not include explore"}}));
}

TEST(Layers, AHeaderForTestsIsNamedSo) {
  const std::string what = "a header for tests is named x_test.hpp, so that it is not installed";
  for (const char* include : {"<gtest/gtest.h>", "<rapidcheck/gtest.h>", "\"nika/sim/checks_test.hpp\""}) {
    EXPECT_EQ(check_test_headers(file_with("src/nika/sim/checks.hpp", include)),
              (Violations{{"src/nika/sim/checks.hpp", 1, what}}));
    EXPECT_EQ(check_test_headers(file_with("src/nika/sim/checks_test.hpp", include)), Violations{});
    EXPECT_EQ(check_test_headers(file_with("src/nika/sim/world_test.cpp", include)), Violations{});
    EXPECT_EQ(check_test_headers(file_with("tests/support/checks.hpp", include)), Violations{});
  }
}

TEST(Layers, AllowedIncludesPass) {
  EXPECT_EQ(check_includes(file_with("src/nika/sim/world.cpp", "\"nika/sim/world.hpp\"")), Violations{});
  EXPECT_EQ(check_includes(file_with("src/nika/explore/search.cpp", "\"nika/base/ids.hpp\"")), Violations{});
  EXPECT_EQ(check_includes(file_with("src/nika/cli/main.cpp", "\"nika/campaign/campaign.hpp\"")), Violations{});
  EXPECT_EQ(check_includes(file_with("src/nika/sim/world.cpp", "<vector>")), Violations{});
  EXPECT_EQ(check_includes(file_with("tools/tidy/main.cpp", "\"tidy/rules.hpp\"")), Violations{});
}

TEST(Layers, IncludesOutsideTheTableAreCaught) {
  EXPECT_EQ(check_includes(file_with("src/nika/base/ids.hpp", "\"nika/model/cluster.hpp\"")),
            (Violations{{"src/nika/base/ids.hpp", 1, "base may not include model"}}));
  EXPECT_EQ(check_includes(file_with("src/nika/sim/world.cpp", "<nika/protocols/diembft/diembft.hpp>")),
            (Violations{{"src/nika/sim/world.cpp", 1, "sim may not include protocols"}}));
  EXPECT_EQ(check_includes(file_with("src/nika/report/text.cpp", "\"nika/sim/world.hpp\"")),
            (Violations{{"src/nika/report/text.cpp", 1, "report may not include sim"}}));
}

TEST(Layers, UnknownFoldersAndShortPathsAreCaught) {
  EXPECT_EQ(check_includes(file_with("src/nika/sim/world.cpp", "\"nika/simm/world.hpp\"")),
            (Violations{{"src/nika/sim/world.cpp", 1, "there is no folder nika/simm"}}));
  EXPECT_EQ(check_includes(file_with("src/nika/sim/world.cpp", "\"world.hpp\"")),
            (Violations{{"src/nika/sim/world.cpp", 1, "include \"world.hpp\" by its path from src: \"nika/…\""}}));
  EXPECT_EQ(check_includes(file_with("src/nika/utils/world.cpp", "<vector>")),
            (Violations{{"src/nika/utils/world.cpp", 1, "the folder utils is not in the table of layers"}}));
}

TEST(Layers, TestsAndFuzzersMayIncludeEverythingBelowCli) {
  EXPECT_EQ(check_includes(file_with("src/nika/sim/world_test.cpp", "\"nika/protocols/x.hpp\"")), Violations{});
  EXPECT_EQ(check_includes(file_with("src/nika/sim/world_fuzz.cpp", "\"nika/campaign/x.hpp\"")), Violations{});
  EXPECT_EQ(check_includes(file_with("src/nika/cli/main_test.cpp", "\"nika/cli/x.hpp\"")), Violations{});
  EXPECT_EQ(check_includes(file_with("src/nika/sim/world_test.cpp", "\"nika/cli/x.hpp\"")),
            (Violations{{"src/nika/sim/world_test.cpp", 1, "sim may not include cli"}}));
}

TEST(Layers, AnIncludeInAStringOrCommentIsNone) {
  EXPECT_EQ(check_includes(parse_source("src/nika/base/a.cpp", "auto s = R\"(\n#include \"nika/cli/x.hpp\"\n)\";\n")),
            Violations{});
  EXPECT_EQ(check_includes(parse_source("src/nika/base/a.cpp", "// #include \"nika/cli/x.hpp\"\n")), Violations{});
}

TEST(Layers, CirclesOfFoldersAreCaughtOnce) {
  const std::vector<SourceFile> files{file_with("src/nika/base/a.hpp", "\"nika/sim/a.hpp\""),
                                      file_with("src/nika/model/a.hpp", "\"nika/base/a.hpp\""),
                                      file_with("src/nika/sim/a.hpp", "\"nika/model/a.hpp\"")};
  EXPECT_EQ(check_cycles(files),
            (Violations{{"src/nika/model/a.hpp", 1, "folders include each other: base → sim → model → base"}}));
}

TEST(Layers, TestsCloseNoCircle) {
  const std::vector<SourceFile> files{file_with("src/nika/base/a_test.cpp", "\"nika/sim/a.hpp\""),
                                      file_with("src/nika/sim/a.hpp", "\"nika/base/a.hpp\"")};
  EXPECT_EQ(check_cycles(files), Violations{});
}

}  // namespace
}  // namespace nika::tidy
