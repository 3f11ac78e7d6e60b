#include "tidy/layers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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
    const auto spaces = static_cast<std::size_t>(std::ranges::count(layer.may_include, ' '));
    EXPECT_EQ(allowed, layer.may_include.empty() ? 0 : spaces + 1) << layer.folder << " names an unknown folder";
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
