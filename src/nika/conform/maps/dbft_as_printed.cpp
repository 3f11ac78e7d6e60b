// DBFT's binary consensus in models/dbft-as-printed.ta: the published pseudocode and automaton with their two faults,
// which are flags of the protocol. A process that has left its loop echoes no more, so that a replica is one process.
#include "nika/conform/maps/dbft_words.hpp"
#include "nika/conform/maps/maps.hpp"
#include "nika/conform/pair_for.hpp"
#include "nika/protocols/dbft/dbft.hpp"

namespace nika::conform {
namespace {

using binary::Bits;
using dbft::RoundRecord;
using dbft::State;

class DbftAsPrintedMap {
 public:
  using Protocol = dbft::Dbft;
  using Key = unsigned;  // which two rounds: 0 is rounds 1 and 2
  static constexpr std::string_view kModel = "models/dbft-as-printed.ta";
  static constexpr unsigned kRoles = 1;
  static constexpr std::array<std::string_view, 2> kBugs{"stops-echoing", "silent-deciders"};

  explicit DbftAsPrintedMap(Names& names)
      : start_{names.location("start0"), names.location("start1")},
        sent_{{{names.location("sent0"), names.location("sent1"), names.location("sent01")},
               {names.location("sent0x"), names.location("sent1x"), names.location("sent01x")}}},
        echoed_{names.location("echoed"), names.location("echoedx")},
        est_{{{names.location("est0"), names.location("est1")}, {names.location("est0x"), names.location("est1x")}}},
        decided_{names.location("decided1"), names.location("decided0")},
        broadcasts_{names.variable("b0"), names.variable("b1"), names.variable("b0x"), names.variable("b1x")},
        echoes_{names.variable("e0"), names.variable("e1"), names.variable("e0x"), names.variable("e1x")} {}

  std::optional<Key> key_of(const Event& message) const { return rounds_of(message); }
  std::optional<std::uint32_t> variable_of(const Event& sent) const {
    return (sent.message_kind == kEst ? broadcasts_ : echoes_)[counter_of(sent)];
  }
  Roles start() const { return {LocationSet{start_[0], start_[1]}}; }

  Seen seen(const Key& key, Seat seat, const State& state, std::span<const Event> window) const {
    const Round first(2 * key + 1);
    const Round second = first.next();
    Seen seen;
    if (record_of(state, first).est.sent.empty()) {
      seen.after[0] = LocationSet{start_[0], start_[1]};
    } else if (!is_left(state, first)) {
      seen.after[0] = within(state, first, 0);
    } else if (state.round == first) {
      seen.after[0] = outcome(state, first, 0);
    } else if (!is_left(state, second)) {
      seen.after[0] = within(state, second, 1);
    } else {
      seen.after[0] = outcome(state, second, 1);
    }
    const auto enters = [&](const Event& event) {
      return event.kind == EventKind::kEnteredRound && event.seat == seat && event.round == second;
    };
    if (std::ranges::any_of(window, enters)) seen.through[0] = {est_[0][0], est_[0][1]};
    return seen;
  }

  Casting casting(std::vector<Roles> begins, unsigned nodes, const Aim&) const {
    return binary_casting(std::move(begins), start_[1], nodes, 2);
  }
  Key key(const Casting&) const { return 0; }
  std::vector<Said> sayings(const Casting&, unsigned) const { return dbft_sayings(broadcasts_, echoes_); }
  static std::optional<Aim> aim_of(std::string_view property) { return dbft_aim_of(property); }

 private:
  static RoundRecord record_of(const State& state, Round round) {
    return round.number <= state.records.size() ? state.records[round.number - 1U] : RoundRecord{};
  }
  static bool is_left(const State& state, Round round) {
    return state.round > round || (state.round == round && state.has_exited);
  }
  LocationSet within(const State& state, Round round, unsigned part) const {
    const RoundRecord record = record_of(state, round);
    if (!record.sent_aux.empty()) return {echoed_[part]};
    return {sent_[part][record.est.sent.mask - 1U]};
  }
  // Who decides exits. Who does not has the estimate with which the next round begins; an echo may have come after it.
  LocationSet outcome(const State& state, Round round, unsigned part) const {
    if (state.decided_in == round) return {decided_[part]};
    if (state.round == round) return {est_[part][state.est ? 1 : 0]};
    const Bits sent = record_of(state, round.next()).est.sent;
    if (sent == Bits::both()) return {est_[part][0], est_[part][1]};
    return {est_[part][sent.contains(true) ? 1 : 0]};
  }

  std::array<std::uint32_t, 2> start_;
  std::array<std::array<std::uint32_t, 3>, 2> sent_;
  std::array<std::uint32_t, 2> echoed_;
  std::array<std::array<std::uint32_t, 2>, 2> est_;
  std::array<std::uint32_t, 2> decided_;
  std::array<std::uint32_t, 4> broadcasts_, echoes_;
};

}  // namespace

const Pair& dbft_as_printed_pair() {
  static const PairFor<DbftAsPrintedMap> kPair;
  return kPair;
}

}  // namespace nika::conform
