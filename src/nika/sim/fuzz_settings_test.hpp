// For tests of what lies can make: many faults in the first rounds of a protocol, of one scope.
#pragma once

#include "nika/model/leaves.hpp"
#include "nika/model/protocol.hpp"
#include "nika/scenarios/byzzfuzz/settings.hpp"

namespace nika {

template <class P>
byzzfuzz::Settings many_faults_of(byzzfuzz::Scope scope, std::uint64_t runs) {
  byzzfuzz::Settings settings;
  settings.protocol = P::kName;
  settings.clients = client_count<P>();
  settings.lies = 3;
  settings.outages = 2;
  settings.last_round = 4 * protocol_rounds_of<P>();
  settings.scope = scope;
  settings.protocol_rounds = protocol_rounds_of<P>();
  settings.leaders_in_a_row = leaders_in_a_row_of<P>();
  settings.leaves = leaves_of<P>();
  settings.runs = runs;
  return settings;
}

}  // namespace nika
