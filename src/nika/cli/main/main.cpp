#include "nika/cli/registry.hpp"
#include "nika/cli/run.hpp"

int main(int argc, char** argv) { return nika::cli::run(argc, argv, nika::cli::built_in_protocols()); }
