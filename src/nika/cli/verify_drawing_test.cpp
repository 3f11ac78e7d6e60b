#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "nika/cli/run.hpp"

namespace nika::cli {
namespace {

constexpr const char* kModel = R"(
skel P { shared x; parameters n, t; assumptions { n > 2 * t; t >= 1; } locations { a; b; c; }
  inits { a == n; b == 0; c == 0; x == 0; }
  rules { 1: a -> b when (true) do { x' == x + 1; }; 2: b -> c when (x >= n - t) do {}; }
  specifications { safe: [](c == 0 || x >= n - t); never: [](c == 0); } })";

struct CommandRun {
  int exit_code = 0;
  std::string output, errors;
};

CommandRun draw(std::vector<std::string> arguments) {
  const auto path = std::filesystem::temp_directory_path() / "nika_verify_drawing.ta";
  std::ofstream(path) << kModel;
  arguments.insert(arguments.begin(), {"nika", "verify", path.string()});
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

TEST(VerifyDrawing, WithoutAPropertyNothingIsDecided) {
  const CommandRun result = draw({"--svg"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output.find("<svg "), 0U);
  EXPECT_EQ(result.output.find("step"), std::string::npos);
}

TEST(VerifyDrawing, AViolatedPropertyIsDrawnWithItsRunAndItsExitCode) {
  const CommandRun svg = draw({"--svg", "--property", "never"});
  EXPECT_EQ(svg.exit_code, 1);
  EXPECT_EQ(svg.output.find("<svg "), 0U);
  EXPECT_NE(svg.output.find("P: never is violated: []"), std::string::npos);
  EXPECT_NE(svg.output.find(">with n = 3, t = 1</text>"), std::string::npos);
  EXPECT_NE(svg.output.find(">1: step 1 ×2</text>"), std::string::npos);
  const CommandRun dot = draw({"--dot", "--property", "never"});
  EXPECT_EQ(dot.exit_code, 1);
  EXPECT_NE(dot.output.find("b -> c [label=\"2: x >= n - t\\nstep 2\""), std::string::npos);
}

TEST(VerifyDrawing, APropertyThatHoldsIsToldAbovePlainPicture) {
  const CommandRun result = draw({"--svg", "--property", "safe"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.output.find("P: safe holds: []"), std::string::npos);
  EXPECT_EQ(result.output.find("step"), std::string::npos);
}

TEST(VerifyDrawing, OnePictureShowsOneProperty) {
  const CommandRun two = draw({"--svg", "--property", "safe", "--property", "never"});
  EXPECT_EQ(two.exit_code, 2);
  EXPECT_EQ(two.errors, "nika: a drawing shows one counterexample: read 2 properties, expected one --property\n");
  EXPECT_EQ(draw({"--svg", "--dot"}).errors, "nika: read --dot and --svg, expected one of them\n");
  EXPECT_EQ(draw({"--svg", "--json"}).exit_code, 2);
}

}  // namespace
}  // namespace nika::cli
