// The whole command line with one small protocol, so that a sanitizer of threads has little to compile.
#include "nika/cli/run.hpp"
#include "nika/cli/runners/runners.hpp"

int main(int argc, char** argv) {
  nika::Registry registry;
  registry.add(nika::cli::bracha_runner());
  return nika::cli::run(argc, argv, registry);
}
