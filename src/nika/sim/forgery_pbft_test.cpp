// What a replica of PBFT holds as prepared was prepared.
#include "nika/protocols/pbft/pbft.hpp"
#include "nika/sim/forgery_test.hpp"

namespace nika {
namespace {

using pbft::Pbft;

class PbftForgery : public Forgery<Pbft> {
 protected:
  PbftForgery() { counts_heights = true; }
  // 2f of its backups have sent PREPARE.
  void check_certificate(const pbft::PreparedCertificate& certificate, const Context& context) {
    if (certificate.view == Round(0)) return;
    const IdentitySet lying = compromised - context.leaders_of(certificate.view);
    const int voted = honest_seats_of(EventKind::kVoted, certificate.view, certificate.request.value(),
                                      Height(certificate.sequence.number));
    EXPECT_GE(voted, context.quorum() - 1 - lying.size());
  }
  void check_state(const pbft::State& state, const Context& context) override {
    for (const pbft::Slot& slot : state.slots) check_certificate(slot.certificate, context);
    for (const pbft::Report& report : state.reports.all()) {
      for (const auto& certificate : report.view_change.prepared) check_certificate(certificate, context);
    }
  }
};

TEST_F(PbftForgery, NoCertificateWithoutAQuorumBehindIt) { check_all_scopes(); }

}  // namespace
}  // namespace nika
