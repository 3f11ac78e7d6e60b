// DBFT's binary consensus in models/dbft.ta, which has an odd round and the even one after it: each two rounds are
// followed by themselves. A replica is three processes there: one that broadcasts in the first round, one that waits
// for its outcome and broadcasts in the second, and one that waits for the outcome of that.
#include "nika/protocols/dbft/dbft.hpp"

#include "nika/conform/maps/dbft_words.hpp"
#include "nika/conform/maps/maps.hpp"
#include "nika/conform/pair_for.hpp"

namespace nika::conform {
namespace {

using binary::Bits;
using dbft::RoundRecord;
using dbft::State;

class DbftMap {
 public:
  using Protocol = dbft::Dbft;
  using Key = unsigned;  // which two rounds: 0 is rounds 1 and 2
  static constexpr std::string_view kModel = "models/dbft.ta";
  static constexpr unsigned kRoles = 3;

  explicit DbftMap(Names& names)
      : start_{names.location("start0"), names.location("start1")},
        sent_{names.location("sent0"), names.location("sent1"), names.location("sent01")},
        waiting_{names.location("waiting"), names.location("waitingx")},
        echoed_{names.location("echoed"), names.location("echoedx")},
        est_{names.location("est0"), names.location("est1")},
        decided_1_(names.location("decided1")),
        sent_x_{names.location("sent0x"), names.location("sent1x"), names.location("sent01x")},
        est_x_{names.location("est0x"), names.location("est1x")},
        decided_0_(names.location("decided0")),
        broadcasts_{names.variable("b0"), names.variable("b1"), names.variable("b0x"), names.variable("b1x")},
        echoes_{names.variable("e0"), names.variable("e1"), names.variable("e0x"), names.variable("e1x")} {}

  std::optional<Key> key_of(const Event& message) const { return rounds_of(message); }
  std::optional<std::uint32_t> variable_of(const Event& sent) const {
    return (sent.message_kind == kEst ? broadcasts_ : echoes_)[counter_of(sent)];
  }
  Roles start() const {
    return {LocationSet{start_[0], start_[1]}, LocationSet{waiting_[0]}, LocationSet{waiting_[1]}};
  }

  Seen seen(const Key& key, Seat seat, const State& state, std::span<const Event> window) const {
    const Round first(2 * key + 1);
    const Round second = first.next();
    Seen seen;
    const Bits sent = record_of(state, first).est.sent;
    seen.after[0] = sent.empty() ? LocationSet{start_[0], start_[1]} : LocationSet{sent_[sent.mask - 1U]};
    if (state.round > first) {
      const Bits again = record_of(state, second).est.sent;
      if (!again.empty()) seen.after[1] = {sent_x_[again.mask - 1U]};
      const auto enters = [&](const Event& event) {
        return event.kind == EventKind::kEnteredRound && event.seat == seat && event.round == second;
      };
      if (std::ranges::any_of(window, enters)) seen.through[1] = outcomes(state, first, {est_[0], est_[1]}, decided_1_);
    } else {
      seen.after[1] =
          is_left(state, first) ? outcomes(state, first, {est_[0], est_[1]}, decided_1_) : within(state, first, 0);
    }
    seen.after[2] = is_left(state, second) ? outcomes(state, second, estimates_after(state, second), decided_0_)
                                           : within(state, second, 1);
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
    return {record_of(state, round).sent_aux.empty() ? waiting_[part] : echoed_[part]};
  }
  // What came of a round that is over. Who has decided before does not decide again, whatever the automaton calls it.
  LocationSet outcomes(const State& state, Round round, LocationSet estimates, std::uint32_t decided) const {
    if (state.decided_in == round) return {decided};
    if (state.decided_in != Round(0) && state.decided_in < round) estimates.insert(decided);
    return estimates;
  }
  // The next round begins with the estimate; an echo may have come after it.
  LocationSet estimates_after(const State& state, Round round) const {
    if (state.round == round) return {est_x_[state.est ? 1 : 0]};
    const Bits sent = record_of(state, round.next()).est.sent;
    if (sent == Bits::both()) return {est_x_[0], est_x_[1]};
    return {est_x_[sent.contains(true) ? 1 : 0]};
  }

  std::array<std::uint32_t, 2> start_;
  std::array<std::uint32_t, 3> sent_;
  std::array<std::uint32_t, 2> waiting_, echoed_, est_;
  std::uint32_t decided_1_;
  std::array<std::uint32_t, 3> sent_x_;
  std::array<std::uint32_t, 2> est_x_;
  std::uint32_t decided_0_;
  std::array<std::uint32_t, 4> broadcasts_, echoes_;
};

}  // namespace

const Pair& dbft_pair() {
  static const PairFor<DbftMap> kPair;
  return kPair;
}

}  // namespace nika::conform
