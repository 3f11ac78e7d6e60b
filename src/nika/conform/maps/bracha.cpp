// Bracha's broadcast in models/reliable-broadcast.ta, which follows one value: here each value by itself.
#include "nika/protocols/bracha/bracha.hpp"

#include "nika/conform/maps/maps.hpp"
#include "nika/conform/session_for.hpp"

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
