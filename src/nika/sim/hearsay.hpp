// What a run with faults of protocol rounds keeps besides its replicas: how far each seat has come, the latest messages
// of each kind, which lies are made of, and the names of blocks that lies have made. Part of the world; other runs
// never touch it.
#pragma once

#include "nika/model/outcome.hpp"
#include "nika/model/twist.hpp"

namespace nika {

template <class P>
struct Hearsay {
  using Message = typename P::Message;
  static constexpr std::size_t kKinds = std::variant_size_v<Message>;
  static constexpr std::size_t kDepth = 8;
  static constexpr std::size_t kMaxNames = 64;

  // A name binds what was proposed and what it builds on.
  struct Named {
    ValueId payload{};
    ValueId parent{};
    ValueId name{};
    bool operator==(const Named&) const = default;
  };

  bool is_kept = false;
  FaultCounts counts{};
  std::array<std::uint16_t, kMaxSeats> reached{};  // the latest protocol round that a seat has sent or received
  std::array<std::uint32_t, kKinds> sent{};
  std::array<std::array<Message, kDepth>, kKinds> latest{};  // the n-th is in place n modulo kDepth
  BoundedVector<Named, kMaxNames> names{};

  void clear() {
    counts = {};
    if (!is_kept) return;
    is_kept = false;
    reached = {};
    sent = {};
    names.clear();
  }
  void remember(const Message& message) {
    const std::size_t kind = message.index();
    latest[kind][sent[kind]++ % kDepth] = message;
  }
  // Calls visit(message) for those of the kind that are remembered, the latest first, until it answers true.
  template <class Visitor>
  bool any_latest(std::size_t kind, const Visitor& visit) const {
    for (std::uint32_t n = sent[kind]; n > 0 && n + kDepth > sent[kind]; --n) {
      if (visit(latest[kind][(n - 1) % kDepth])) return true;
    }
    return false;
  }

  // The name of a block: the wanted one, unless it is another block's. Genesis if there is no more room.
  ValueId name_of(ValueId payload, ValueId parent, ValueId wanted) {
    for (const Named& known : names) {
      if (known.payload == payload && known.parent == parent) return known.name;
    }
    return is_taken(wanted) ? kGenesis : add(payload, parent, wanted);
  }
  // The same for a block that only a lie has made: of the liar's, in the round of the payload.
  ValueId name_of(ValueId payload, ValueId parent, Seat liar) {
    for (unsigned last = ValueId::kMaxIncarnation; last > 0; --last) {
      const ValueId own(payload.round(), liar, last);
      const ValueId name = name_of(payload, parent, own);
      if (!name.is_genesis() || names.size() == kMaxNames) return name;
    }
    return kGenesis;
  }

 private:
  bool is_taken(ValueId name) const { return std::ranges::find(names, name, &Named::name) != names.end(); }
  ValueId add(ValueId payload, ValueId parent, ValueId name) {
    return names.push_back({payload, parent, name}) ? name : kGenesis;
  }
};

// Changes a field of the message as the lie says, with what is remembered. True if it is another message then; `brief`
// gets what the field said and what it says.
struct BriefChange {
  std::uint16_t before = 0;
  std::uint16_t after = 0;
};
template <class P>
bool distort(typename P::Message& message, const Lie& lie, const LiarView& liar, const Hearsay<P>& hearsay,
             BriefChange& brief) {
  bool is_changed = false;
  const auto change = [&]<class Alternative>(Alternative& alternative) {
    visit_leaf(alternative, lie.field, [&]<class Leaf>(Leaf& leaf, LeafType type) {
      const Leaf before = leaf;
      const auto seen = [&](unsigned which) -> std::optional<Leaf> {
        BoundedVector<Leaf, Hearsay<P>::kDepth> others;
        hearsay.any_latest(message.index(), [&](const auto& other) {
          visit_leaf(std::get<Alternative>(other), lie.field, [&](const auto& value, LeafType) {
            if constexpr (std::same_as<std::remove_cvref_t<decltype(value)>, Leaf>) {
              const auto is_same = [&](const Leaf& known) { return leaves::say_the_same(known, value); };
              if (!is_same(before) && std::ranges::none_of(others, is_same)) (void)others.push_back(value);
            }
          });
          return others.size() > which;
        });
        return others.empty() ? std::nullopt : std::optional<Leaf>(others.back());
      };
      twist(leaf, type, lie, liar, seen);
      is_changed = !leaves::say_the_same(leaf, before);
      brief = {brief_of(before), brief_of(leaf)};
    });
  };
  std::visit(change, message);
  return is_changed;
}

}  // namespace nika
