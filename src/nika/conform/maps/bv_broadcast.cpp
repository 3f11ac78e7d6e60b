// BV-broadcast in models/bv-broadcast.ta: what a replica has sent and delivered is its location.
#include "nika/protocols/bv_broadcast/bv_broadcast.hpp"

#include "nika/conform/maps/maps.hpp"
#include "nika/conform/pair_for.hpp"

namespace nika::conform {
namespace {

using binary::Bits;

class BvBroadcastMap {
 public:
  using Protocol = bv_broadcast::BvBroadcast;
  using Key = bool;  // there is one broadcast
  static constexpr std::string_view kModel = "models/bv-broadcast.ta";
  static constexpr unsigned kRoles = 1;

  explicit BvBroadcastMap(Names& names)
      : start_{names.location("start0"), names.location("start1")},
        only_{names.location("only0"), names.location("only1")},
        only_delivered_{names.location("only0_d0"), names.location("only1_d1")},
        both_(names.location("both")),
        both_delivered_{names.location("both_d0"), names.location("both_d1"), names.location("both_d01")},
        sent_{names.variable("sent0"), names.variable("sent1")} {}

  std::optional<Key> key_of(const Event&) const { return true; }
  std::optional<std::uint32_t> variable_of(const Event& sent) const {
    return sent_[sent.value == binary::subject_of(true) ? 1 : 0];
  }
  Roles start() const { return {LocationSet{start_[0], start_[1]}}; }
  Seen seen(const Key&, Seat, const bv_broadcast::State& state, std::span<const Event>) const {
    Seen seen;
    seen.after[0] = location_of(state.bv);
    return seen;
  }

  Casting casting(std::vector<Roles> begins, unsigned nodes, const Aim&) const {
    return binary_casting(std::move(begins), start_[1], nodes, 1);
  }
  Key key(const Casting&) const { return true; }
  std::vector<Said> sayings(const Casting&, unsigned) const { return {{{0, {0}}, sent_[0]}, {{0, {1}}, sent_[1]}}; }
  static std::optional<Aim> aim_of(std::string_view property) {
    if (property.starts_with("justification")) return Aim{"justification"};
    if (property.starts_with("obligation")) return Aim{"obligation", true};
    if (property.starts_with("uniformity")) return Aim{"totality", true};
    if (property == "termination") return Aim{"termination", true};
    return std::nullopt;
  }

 private:
  // Nothing that the automaton knows: then no rule leads there.
  static constexpr LocationSet kNowhere{};

  LocationSet location_of(const binary::Bv& bv) const {
    if (bv.sent.empty()) return bv.delivered.empty() ? LocationSet{start_[0], start_[1]} : kNowhere;
    if (bv.sent == Bits::both())
      return bv.delivered.empty() ? LocationSet{both_} : LocationSet{both_delivered_[bv.delivered.mask - 1U]};
    const unsigned v = bv.sent.contains(true) ? 1 : 0;
    if (bv.delivered.empty()) return {only_[v]};
    return bv.delivered == bv.sent ? LocationSet{only_delivered_[v]} : kNowhere;
  }

  std::array<std::uint32_t, 2> start_, only_, only_delivered_;
  std::uint32_t both_;
  std::array<std::uint32_t, 3> both_delivered_;
  std::array<std::uint32_t, 2> sent_;
};

}  // namespace

const Pair& bv_broadcast_pair() {
  static const PairFor<BvBroadcastMap> kPair;
  return kPair;
}

}  // namespace nika::conform
