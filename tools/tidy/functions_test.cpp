#include "tidy/functions.hpp"

#include <gtest/gtest.h>

namespace nika::tidy {
namespace {

std::vector<FunctionBody> bodies_in(std::string_view text) { return function_bodies(parse_source("a.cpp", text)); }

using Bodies = std::vector<FunctionBody>;

TEST(Functions, FreeFunctionsAreMeasuredFromBraceToBrace) {
  EXPECT_EQ(bodies_in("namespace a {\nint f(int x,\n      int y) {\n  return x;\n}\n}\n"), (Bodies{{3, 5}}));
}

TEST(Functions, MembersAreMeasuredInsideTheirClass) {
  EXPECT_EQ(
      bodies_in("class A : public B {\n public:\n  int f() const { return 1; }\n  void g() noexcept override {\n  }\n"
                "  bool operator==(const A&) const = default;\n};\n"),
      (Bodies{{3, 3}, {4, 5}}));
}

TEST(Functions, TemplatesWithDefaultsAndConstraintsAreFunctions) {
  EXPECT_EQ(bodies_in("template <class T = int, class U>\n  requires (sizeof(T) > 1)\nvoid f(T t) {\n}\n"
                      "template <template <class> class T>\nauto g() -> decltype(1) {\n}\n"
                      "template <class T>\nvoid h(T) requires Small<T> {\n}\n"),
            (Bodies{{3, 4}, {6, 7}, {9, 10}}));
}

TEST(Functions, MemberInitializersAreNotTheBody) {
  EXPECT_EQ(bodies_in("struct A {\n  A(int a) : a_{a}, b_(2), c_{\n    1, 2} {\n    run();\n  }\n"
                      "  A() noexcept : Base<int>{} {}\n  A(B b) : b_(b) {\n  }\n};\n"),
            (Bodies{{3, 5}, {6, 6}, {7, 8}}));
}

TEST(Functions, TablesEnumsAndConceptsAreNoFunctions) {
  EXPECT_EQ(bodies_in("constexpr std::array<int, f(2)> kTable{\n1,\n2};\nconst T kOther = {\n{1}, {2}};\n"
                      "enum class E : int { kA, kB };\nint x{3};\nextern \"C\" {\nint f();\n}\n"),
            Bodies{});
}

TEST(Functions, DefaultArgumentsWithBracesKeepTheFunctionWhole) {
  EXPECT_EQ(bodies_in("void f(A a = {}, B b = B{1}) {\n  if (a) {\n  }\n}\nvoid g() {}\n"), (Bodies{{1, 4}, {5, 5}}));
}

TEST(Functions, LambdasOfANamespaceAreMeasuredAndThoseInsideBelongToTheirFunction) {
  EXPECT_EQ(bodies_in("const auto f = [] {\n  return 1;\n};\nconst auto g = [](int a) {\n};\n"
                      "void h() {\n  run([&] {\n  });\n}\n"),
            (Bodies{{1, 3}, {4, 5}, {6, 9}}));
}

TEST(Functions, MacrosAreSkipped) {
  EXPECT_EQ(bodies_in("#define OPEN(x) \\\n  if (x) {\nTEST(A, B) {\n}\n"), (Bodies{{3, 4}}));
}

}  // namespace
}  // namespace nika::tidy
