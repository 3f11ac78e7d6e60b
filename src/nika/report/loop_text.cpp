#include "nika/report/loop_text.hpp"

#include <fmt/format.h>

namespace nika::report {
namespace {

std::string rounds_of(const Loop& loop) {
  return loop.length == 1 ? fmt::format("round {} repeats", loop.first_round)
                          : fmt::format("rounds {}..{} repeat", loop.first_round, loop.last_round());
}

}  // namespace

std::string loop_text(const std::optional<Loop>& loop) {
  if (!loop) return "no loop found: the world never came back without a decision";
  if (!loop->proved) return fmt::format("no loop proved: {} once, but not when run again", rounds_of(*loop));
  const Assumptions& assumed = loop->assumptions;
  return fmt::format("loops for ever: {}, proved; assumptions: {}, {}, {} of arrival", rounds_of(*loop),
                     assumed.healed ? "healed" : "asynchrony goes on",
                     assumed.fair ? "fair" : "not fair (some honest node never leads)",
                     assumed.order == Assumptions::Arrival::kAny ? "any order" : "one order");
}

}  // namespace nika::report
