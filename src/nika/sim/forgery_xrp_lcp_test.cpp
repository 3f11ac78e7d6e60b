#include "nika/protocols/xrp_lcp/xrp_lcp.hpp"
#include "nika/sim/forgery_test.hpp"

namespace nika {
namespace {

using xrp_lcp::XrpLcp;

class XrpLcpForgery : public Forgery<XrpLcp> {
 protected:
  // 80 % of the list have validated the ledger; an honest one knows that it did, unless it is far ahead.
  void check_state(const xrp_lcp::State& state, const Context& context) override {
    if (state.valid.is_genesis()) return;
    ++certificates;
    const IdentitySet validators = state.validations.validators_of(state.valid);
    EXPECT_TRUE(context.is_quorum(validators));
    for (Identity id : validators - compromised) {
      const auto& other = world->states[index_of(id)];
      const bool has_forgotten =
          other.valid.sequence.number > state.valid.sequence.number + xrp_lcp::Validations::kKeptBelow;
      EXPECT_TRUE(has_forgotten || other.validations.validators_of(state.valid).contains(id));
    }
  }
};

TEST_F(XrpLcpForgery, NoCertificateWithoutAQuorumBehindIt) { check_all_scopes(); }

}  // namespace
}  // namespace nika
