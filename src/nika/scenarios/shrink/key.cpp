#include "nika/scenarios/shrink/key.hpp"

#include <algorithm>

namespace nika::shrink {
namespace {

// Each function takes its argument apart member by member, so that it does not compile until a new member has its place
// here.
class Key {
 public:
  static std::vector<std::uint32_t> of(const Scenario& scenario) {
    Key key;
    key.add(scenario);
    return std::move(key.numbers_);
  }

 private:
  void add(std::uint32_t number) { numbers_.push_back(number); }
  void add(Seat seat) { add(index_of(seat)); }
  void add(Identity id) { add(index_of(id)); }
  void add(Round round) { add(round.number); }
  void add(SeatSet seats) { add(std::uint32_t{seats.bits()}); }
  void add(IdentitySet identities) { add(std::uint32_t{identities.bits()}); }
  template <class Element>
  void add(const std::vector<Element>& elements) {
    add(static_cast<std::uint32_t>(elements.size()));
    for (const Element& element : elements) add(element);
  }
  template <class Element>
  void add(const std::array<Element, kMaxSeats>& elements) {
    for (const Element& element : elements) add(element);
  }

  void add(const Order& order) {
    const auto& [rank, own_first] = order;
    add(rank);
    add(own_first ? 1U : 0U);
  }
  void add(const ReceiverOrder& own) {
    const auto& [receiver, order] = own;
    add(receiver);
    add(order);
  }
  void add(const RoundPlan& plan) {
    const auto& [leaders, partition, order, receiver_orders, gives_up, note] = plan;
    add(leaders);
    add(partition.block_of);
    add(order);
    add(receiver_orders);
    add(gives_up);
  }
  void add(const Rule& rule) {
    const auto& [first_round, last_round, kinds, from, to, action, delay_ticks, delay_rounds, reach, note] = rule;
    add(first_round);
    add(last_round);
    add(kinds);
    add(from);
    add(to);
    add(static_cast<std::uint32_t>(action));
    add(delay_ticks);
    add(delay_rounds);
    add(reach);
  }
  void add(const Crash& crash) {
    const auto& [seat, down_from, up_from, keeps_memory] = crash;
    add(seat);
    add(down_from);
    add(up_from);
    add(keeps_memory ? 1U : 0U);
  }
  void add(const Timing& timing) {
    const auto& [delta_ticks, ticks, delay_ticks, timers_first] = timing;
    add(delta_ticks);
    add(ticks);
    add(delay_ticks);
    add(timers_first);
  }
  void add(const Step& step) {
    const auto& [message, to, from, timer, says] = step;
    add(message);
    add(to);
    add(from);
    add(timer);
    add(says ? 1U + says->kind : 0U);
    if (!says) return;
    for (const std::uint16_t number : says->fields) add(std::uint32_t{number});
  }
  void add(const TurnStep& step) {
    const auto& [kind, number, from, to] = step;
    add(kind);
    add(number);
    add(from);
    add(to);
  }
  void add(const CoinTurn& turn) {
    const auto& [before, after, next, note] = turn;
    add(before);
    for (const std::size_t coin : {0U, 1U}) {
      add(after[coin]);
      add(next[coin]);
    }
  }
  void add(const Outage& outage) {
    const auto& [protocol_round, partition, withholds] = outage;
    add(protocol_round);
    add(partition.block_of);
    add(withholds ? 1U : 0U);
  }
  void add(const Lie& lie) {
    const auto& [protocol_round, from, kind, to, field, twist, argument] = lie;
    add(protocol_round);
    add(from);
    add(kind);
    add(to);
    add(field);
    add(static_cast<std::uint32_t>(twist));
    add(argument);
  }
  void add_inputs(const std::vector<std::string>& inputs) {
    add(static_cast<std::uint32_t>(inputs.size()));
    for (const std::string& input : inputs) {
      const auto first = std::ranges::find(inputs, input) - inputs.begin();
      add(input.empty() ? kMaxSeats : static_cast<std::uint32_t>(first));
    }
  }
  void add(const Scenario& scenario) {
    const auto& [about, protocol, bugs, node_count, fault_count, copies, client_count, unls, inputs, rounds,
                 heal_rounds, heal_leaders, heal_order, rules, crashes, timing, steps, coins, turns, liars, outages,
                 lies, lies_go_on, faults_count_messages] = scenario;
    add(node_count);
    add(fault_count);
    add(copies);
    add(client_count);
    add(unls);
    add(rounds);
    add(heal_rounds);
    add(heal_leaders);
    add(heal_order);
    add_inputs(inputs);
    add(rules);
    add(crashes);
    add(timing ? 1U : 0U);
    if (timing) add(*timing);
    add(steps ? 1U : 0U);
    if (steps) add(*steps);
    add(coins);
    add(turns);
    add(liars);
    add(outages);
    add(lies);
    add(lies_go_on ? 1U : 0U);
    add(faults_count_messages ? 1U : 0U);
  }

  std::vector<std::uint32_t> numbers_;
};

}  // namespace

std::vector<std::uint32_t> key_of(const Scenario& scenario) { return Key::of(scenario); }

}  // namespace nika::shrink
