// What replicas of Sync HotStuff need not remember. A rule looks at a block that a register, a message on its way or
// one that waits names, at what is below it, and at rivals of what is proposed in the replica's own view. Whatever is
// sent later names blocks that were named before, or new ones.
#include <bitset>

#include "nika/protocols/sync_hotstuff/sync_hotstuff.hpp"

namespace nika::sync_hotstuff {
namespace {

class NamedValues {
 public:
  bool contains(ValueId value) const { return named_.test(value.packed); }

  template <class T>
  void add(const T& item) {
    if constexpr (std::same_as<T, BlockName>) {
      named_.set(item.value.packed);
    } else if constexpr (std::same_as<T, Chains> || std::same_as<T, IdentitySet>) {
      return;
    } else if constexpr (Described<T>) {
      for_each_field(item, [&](std::string_view, const auto& member) { add(member); });
    } else if constexpr (requires { item.index(); }) {
      std::visit([&](const auto& alternative) { add(alternative); }, item);
    } else if constexpr (requires { item.begin(); }) {
      for (const auto& element : item) add(element);
    }
  }

 private:
  std::bitset<1U << 16U> named_;
};

}  // namespace

void SyncHotStuff::forget(std::span<State> states, std::span<const Context>, std::span<const Message> in_flight) {
  NamedValues named;
  for (const State& state : states) named.add(state);
  for (const Message& message : in_flight) named.add(message);
  for (State& state : states) {
    state.chains.forget_unless([&](ValueId value) { return value.round() >= state.view || named.contains(value); });
  }
}

}  // namespace nika::sync_hotstuff
