#include "nika/protocols/dbft/dbft.hpp"

#include "nika/protocols/dbft/replica.hpp"

namespace nika::dbft {

static_assert(Protocol<Dbft>);
static_assert(std::has_unique_object_representations_v<State>);

using Box = Outbox<Message>;

void Dbft::start(State& state, const Context& context, Box& out) {
  Replica replica(state, context, rules_of(context, context.bugs), out);
  replica.start(binary::input_of(context));
  replica.act();
}

void Dbft::receive(State& state, const Context& context, Identity from, const Message& message, Box& out) {
  Replica replica(state, context, rules_of(context, context.bugs), out);
  std::visit([&](const auto& alternative) { replica.receive(from, alternative); }, message);
  replica.act();
}

void Dbft::expire(State& state, const Context& context, TimerId timer, Box& out) {
  Replica replica(state, context, rules_of(context, context.bugs), out);
  replica.expire(timer);
  replica.act();
}

Round Dbft::round_of(const Message& message) {
  return std::visit([](const auto& alternative) { return alternative.round; }, message);
}

ValueId Dbft::subject_of(const Message& message) {
  const auto subject = [](const auto& alternative) {
    if constexpr (requires { alternative.value; }) return binary::subject_of(alternative.value);
    return kGenesis;
  };
  return std::visit(subject, message);
}

}  // namespace nika::dbft
