// What a liar has to keep in mind, and how ByzzFuzz counts rounds of PBFT.
#include "nika/protocols/pbft/pbft.hpp"

namespace nika::pbft {

namespace {

// One for each kind of message: what follows from the field that differs. A flawed form has no digests, and who lies
// there has none to compute.
struct Consistent {
  const Message& truth;

  void operator()(PrePrepare& lie) const {
    const auto& order = std::get<PrePrepare>(truth);
    if (lie.request != order.request && order.digest != Digest{}) lie.digest = digest_of(lie.request, Rules{});
  }
  void operator()(ViewChange& lie) const {
    if (lie.checkpoint == std::get<ViewChange>(truth).checkpoint) return;
    lie.sequence = lie.checkpoint.state.executed;
    for (std::size_t i = lie.prepared.size(); i > 0; --i) {
      const SequenceNumber sequence = lie.prepared[i - 1].sequence;
      const bool is_in_window = sequence > lie.sequence && sequence.number <= lie.sequence.number + kWindow;
      if (!is_in_window) lie.prepared.erase_at(i - 1);
    }
  }
  void operator()(Checkpoint& lie) const {
    if (lie.state.executed != std::get<Checkpoint>(truth).state.executed) lie.sequence = lie.state.executed;
  }
  void operator()(NewView& lie) const {
    if (lie.reports == std::get<NewView>(truth).reports) return;
    lie.proposals = select({lie.reports.begin(), lie.reports.size()}, Rules{}).proposals;
  }
  template <class Other>
  void operator()(Other&) const {}
};

constexpr unsigned kVerbs = 4;
constexpr unsigned kOfViewChange = 2;
enum Verb : std::uint8_t { kViewChange, kNewView, kPrePrepare, kPrepare, kCommit, kReply };

// Requests of all clients are ordered together, as many as there are numbers between two checkpoints.
unsigned round_at(Round view, unsigned ordered_before, Verb verb) {
  if (view == Round(0)) return 0;
  const unsigned wave = ordered_before / kCheckpointInterval;
  const unsigned before = (view.number - 1U) * (kVerbs + kOfViewChange) + wave * kVerbs + verb + 1U;
  return before <= kOfViewChange ? 0 : before - kOfViewChange;
}

struct ProtocolRound {
  static unsigned of_number(Round view, unsigned number, Verb verb) {
    return round_at(view, number == 0 ? 0 : number - 1U, verb);
  }

  unsigned operator()(const PrePrepare& m) const { return of_number(m.view, m.sequence.number, kPrePrepare); }
  unsigned operator()(const Prepare& m) const { return of_number(m.view, m.sequence.number, kPrepare); }
  unsigned operator()(const Commit& m) const { return of_number(m.view, m.sequence.number, kCommit); }
  unsigned operator()(const Reply& m) const {
    return m.answer.position == Height(0) ? 0 : of_number(m.view, m.answer.position.number, kReply);
  }
  unsigned operator()(const ViewChange& m) const { return round_at(m.view, m.sequence.number, kViewChange); }
  unsigned operator()(const NewView& m) const {
    SequenceNumber stable{};
    for (const Report& report : m.reports) stable = std::max(stable, report.view_change.sequence);
    return round_at(m.view, stable.number, kNewView);
  }
  // Of whatever round their sender is in.
  unsigned operator()(const Checkpoint&) const { return 0; }
  unsigned operator()(const RequestMessage&) const { return 0; }
};

}  // namespace

void Pbft::make_consistent(const Message& truth, Message& lie) { std::visit(Consistent{truth}, lie); }

unsigned Pbft::protocol_round_of(const Message& message) { return std::visit(ProtocolRound{}, message); }

}  // namespace nika::pbft
