// Nika's own command line with one more protocol.
#include "nika/campaign/runner_for.hpp"
#include "nika/cli/run.hpp"
#include "nika/runners/built_in_protocols.hpp"
#include "quorum_write.hpp"

int main(int argc, char** argv) {
  nika::Registry registry = nika::built_in_protocols();
  registry.add(nika::runner_for<quorum_write::QuorumWrite>());
  return nika::cli::run(argc, argv, registry);
}
