// A map that is wrong about the protocol is found out by its runs.
#include <gtest/gtest.h>

#include "nika/automata/parser.hpp"
#include "nika/conform/campaign.hpp"
#include "nika/conform/pair_for.hpp"
#include "nika/protocols/bracha/bracha.hpp"
#include "nika/runners/built_in_protocols.hpp"

namespace nika::conform {
namespace {

// It takes a replica that is ready for one that has delivered, and counts an initial as an echo.
class WrongMap {
 public:
  using Protocol = bracha::Bracha;
  using Key = ValueId;
  static constexpr std::string_view kModel = "models/reliable-broadcast.ta";
  static constexpr unsigned kRoles = 1;

  explicit WrongMap(Names& names)
      : idle_(names.location("idle")),
        asked_(names.location("asked")),
        echoed_(names.location("echoed")),
        delivered_(names.location("delivered")),
        other_(names.location("other")),
        echoes_(names.variable("echoes")),
        readies_(names.variable("readies")) {}

  std::optional<Key> key_of(const Event& message) const { return message.value; }
  std::optional<std::uint32_t> variable_of(const Event& sent) const {
    return sent.message_kind == 2 ? readies_ : echoes_;
  }
  Roles start() const { return {LocationSet{idle_, asked_}}; }
  Seen seen(const Key& value, Seat, const bracha::State& state, std::span<const Event>) const {
    Seen seen;
    seen.after[0] = LocationSet{idle_, asked_};
    if (!state.echoed.is_genesis()) seen.after[0] = LocationSet{other_};
    if (state.echoed == value) seen.after[0] = LocationSet{echoed_};
    if (state.readied == value) seen.after[0] = LocationSet{delivered_};
    return seen;
  }

 private:
  std::uint32_t idle_, asked_, echoed_, delivered_, other_;
  std::uint32_t echoes_, readies_;
};

TEST(WrongMap, IsFoundOutByRunsOfAllKinds) {
  const auto automaton = automata::read_automaton(NIKA_SOURCE_DIR "/models/reliable-broadcast.ta").value();
  const PairFor<WrongMap> pair;
  Request request;
  request.pair = &pair;
  request.runner = &built_in_protocol("bracha");
  request.automaton = &automaton;
  request.runs = 400;
  request.threads = 1;
  const Outcome outcome = run(request, {}).value();
  EXPECT_EQ(outcome.conclusion, Conclusion::kViolated);
  for (const Part& part : outcome.parts) EXPECT_GT(part.misfits, part.runs / 2) << name_of(part.source);
}

}  // namespace
}  // namespace nika::conform
