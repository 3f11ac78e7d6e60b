// The whole command line with one small protocol, so that a sanitizer has little to compile.
#include "nika/cli/run.hpp"
#include "nika/runners/runners.hpp"

int main(int argc, char** argv) {
  nika::Registry registry;
  registry.add(nika::bracha_runner());
  return nika::cli::run(argc, argv, registry);
}
