// Bracha's broadcast in models/reliable-broadcast.ta, which follows one value: here each value by itself.
#include "nika/protocols/bracha/bracha.hpp"

#include "nika/conform/maps/maps.hpp"
#include "nika/conform/pair_for.hpp"

namespace nika::conform {
namespace {

class BrachaMap {
 public:
  using Protocol = bracha::Bracha;
  using Key = ValueId;
  static constexpr std::string_view kModel = "models/reliable-broadcast.ta";
  static constexpr unsigned kRoles = 1;

  explicit BrachaMap(Names& names)
      : idle_(names.location("idle")),
        asked_(names.location("asked")),
        echoed_(names.location("echoed")),
        ready_(names.location("ready")),
        delivered_(names.location("delivered")),
        other_(names.location("other")),
        echoes_(names.variable("echoes")),
        readies_(names.variable("readies")) {}

  std::optional<Key> key_of(const Event& message) const { return message.value; }
  std::optional<std::uint32_t> variable_of(const Event& sent) const {
    if (sent.message_kind == kEcho) return echoes_;
    if (sent.message_kind == kReady) return readies_;
    return std::nullopt;
  }
  // Who is asked is said at the start of the automaton, and seen when the sender's word arrives.
  Roles start() const { return {LocationSet{idle_, asked_}}; }
  Seen seen(const Key& value, Seat seat, const bracha::State& state, std::span<const Event> window) const {
    Seen seen;
    seen.after[0] = location_of(value, state);
    const auto asks = [&](const Event& event) {
      return event.kind == EventKind::kDelivered && event.seat == seat && event.message_kind == kInitial &&
             event.value == value;
    };
    if (state.echoed == value && std::ranges::none_of(window, asks))
      seen.before[0] = LocationSet::all() - LocationSet{asked_};
    return seen;
  }

  // Termination is owed by an honest sender only; for all else it is a liar, the last node, if there is one.
  Casting casting(std::vector<Roles> begins, unsigned nodes, const Aim& aim) const {
    const bool is_honest = aim.property == "termination" || begins.size() == nodes;
    const auto sender = static_cast<Identity>(is_honest ? 0 : nodes - 1);
    return {std::move(begins), {IdentitySet::single(sender)}, {}};
  }
  Key key(const Casting& casting) const { return {Round(1), static_cast<Seat>(*casting.leaders[0].begin()), 0}; }
  // The lying sender's word: the value that is followed is its first, and another one is there for "other".
  std::vector<Said> sayings(const Casting& casting, unsigned) const {
    if (index_of(*casting.leaders[0].begin()) < casting.begins.size()) return {};
    return {{{kInitial, {0}}, {}}, {{kInitial, {1}}, {}}, {{kEcho, {0}}, echoes_}, {{kReady, {0}}, readies_}};
  }
  // That all deliver what all are asked for is owed by an honest sender; that all do if one does, by anybody.
  static std::optional<Aim> aim_of(std::string_view property) {
    if (property == "correctness") return Aim{"termination", true};
    if (property == "relay") return Aim{"totality", true};
    return std::nullopt;
  }

 private:
  static constexpr std::uint8_t kInitial = 0;
  static constexpr std::uint8_t kEcho = 1;
  static constexpr std::uint8_t kReady = 2;

  LocationSet location_of(const Key& value, const bracha::State& state) const {
    if (state.accepted == value) return {delivered_};
    if (state.readied == value) return {ready_};
    if (state.echoed == value) return {echoed_};
    if (!state.echoed.is_genesis()) return {other_};
    return {idle_, asked_};
  }

  std::uint32_t idle_, asked_, echoed_, ready_, delivered_, other_;
  std::uint32_t echoes_, readies_;
};

}  // namespace

const Pair& bracha_pair() {
  static const PairFor<BrachaMap> kPair;
  return kPair;
}

}  // namespace nika::conform
