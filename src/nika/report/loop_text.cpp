#include "nika/report/loop_text.hpp"

#include <fmt/format.h>

#include "nika/base/printable.hpp"

namespace nika::report {
namespace {

std::string_view unit_of(const store::LoopRecord& loop) { return loop.counts_views ? "view" : "round"; }

std::string rounds_of(const store::LoopRecord& loop) {
  const std::string_view unit = unit_of(loop);
  return loop.length == 1 ? fmt::format("{} {} repeats", unit, loop.first_round)
                          : fmt::format("{}s {}..{} repeat", unit, loop.first_round, loop.last_round());
}

}  // namespace

std::string loop_text(const std::optional<store::LoopRecord>& loop) {
  if (!loop) return "no loop found: the world never came back without a decision";
  if (!loop->proved) return fmt::format("no loop proved: {} once, but not when run again", rounds_of(*loop));
  const Assumptions& assumed = loop->assumptions;
  return fmt::format("loops for ever: {}, proved; assumptions: {}, {}, {} order of arrival, liars {}", rounds_of(*loop),
                     assumed.healed ? "healed" : "asynchrony goes on",
                     assumed.fair ? "fair" : "not fair (some honest node never leads)", store::name_of(assumed.order),
                     store::name_of(assumed.liars));
}

std::string repaired_text(const std::optional<store::LoopRecord>& loop) {
  if (!loop || !loop->repaired) return "";
  const store::RepairedRecord& repaired = *loop->repaired;
  const std::string bugs = repaired.bugs.empty() ? "" : fmt::format(" with bug {}", fmt::join(repaired.bugs, ", "));
  return printable(
      fmt::format("repaired: the same schedule, with the loop repeated, on {}{} {}", repaired.protocol, bugs,
                  repaired.decides_in > 0 ? fmt::format("decides in {} {}", unit_of(*loop), repaired.decides_in)
                                          : "does not decide either"));
}

}  // namespace nika::report
