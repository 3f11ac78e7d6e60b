#include "nika/cli/run.hpp"

#include <CLI/CLI.hpp>

namespace nika::cli {

int run(int argc, char** argv, const Registry& registry) {
  CLI::App app{"Tests and verifies Byzantine fault tolerant consensus"};
  (void)registry;
  CLI11_PARSE(app, argc, argv);
  return 0;
}

}  // namespace nika::cli
