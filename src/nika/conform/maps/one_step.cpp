// Bosco in models/one-step.ta, which has the exchange of votes and what is handed over; the consensus underneath, which
// decides for those who are slow, is none of its business.
#include "nika/protocols/one_step/one_step.hpp"

#include "nika/conform/maps/maps.hpp"
#include "nika/conform/pair_for.hpp"

namespace nika::conform {
namespace {

using binary::Bits;

class OneStepMap {
 public:
  using Protocol = one_step::OneStep;
  using Key = bool;  // there is one exchange
  static constexpr std::string_view kModel = "models/one-step.ta";
  static constexpr unsigned kRoles = 1;
  static constexpr bool kVariesInputs = true;

  explicit OneStepMap(Names& names)
      : start_{names.location("start0"), names.location("start1")},
        voted_{names.location("voted0"), names.location("voted1")},
        decided_{names.location("decided0"), names.location("decided1")},
        slow_{names.location("slow0"), names.location("slow1")},
        votes_{names.variable("votes0"), names.variable("votes1")} {}

  std::optional<Key> key_of(const Event& message) const {
    return message.message_kind == kVote ? std::optional(true) : std::nullopt;
  }
  std::optional<std::uint32_t> variable_of(const Event& sent) const {
    return votes_[sent.value == binary::subject_of(true) ? 1 : 0];
  }
  Roles start() const { return {LocationSet{start_[0], start_[1]}}; }
  Seen seen(const Key&, Seat, const one_step::State& state, std::span<const Event>) const {
    Seen seen;
    seen.after[0] = location_of(state);
    return seen;
  }

  Casting casting(std::vector<Roles> begins, unsigned nodes, const Aim&) const {
    return binary_casting(std::move(begins), start_[1], nodes, 2);
  }
  Key key(const Casting&) const { return true; }
  std::vector<Said> sayings(const Casting&, unsigned) const {
    return {{{kVote, {0}}, votes_[0]}, {{kVote, {1}}, votes_[1]}};
  }
  static std::optional<Aim> aim_of(std::string_view property) {
    if (property == "agreement") return Aim{"agreement"};
    if (property.starts_with("handover")) return Aim{"handover"};
    if (property == "termination") return Aim{"termination", true};
    return std::nullopt;
  }

 private:
  static constexpr std::uint8_t kVote = 0;

  static std::size_t value_of(Bits bits) { return bits.contains(true) ? 1 : 0; }
  LocationSet location_of(const one_step::State& state) const {
    if (state.own.empty()) return {start_[0], start_[1]};
    if (state.handed_over.empty()) return {voted_[value_of(state.own)]};
    return {state.decided.empty() ? slow_[value_of(state.handed_over)] : decided_[value_of(state.decided)]};
  }

  std::array<std::uint32_t, 2> start_, voted_, decided_, slow_;
  std::array<std::uint32_t, 2> votes_;
};

}  // namespace

const Pair& one_step_pair() {
  static const PairFor<OneStepMap> kPair;
  return kPair;
}

}  // namespace nika::conform
