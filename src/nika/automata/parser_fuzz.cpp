// Whatever the bytes, the parser returns; and what it accepts, it prints such that it accepts it again.
#include <cstddef>
#include <cstdint>
#include <string>

#include "nika/automata/parser.hpp"
#include "nika/automata/printer.hpp"
#include "nika/base/require.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nika::automata;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const nika::Result<Automaton> automaton = parse_automaton({"fuzz.ta", text});
  if (!automaton) {
    NIKA_REQUIRE(automaton.error().message.find("expected") != std::string::npos);
    return 0;
  }
  const std::string once = printed(*automaton);
  const nika::Result<Automaton> again = parse_automaton({"printed.ta", once});
  NIKA_REQUIRE(again);
  NIKA_REQUIRE(printed(*again) == once);
  return 0;
}
