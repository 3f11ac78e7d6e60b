#include "nika/cli/run.hpp"
#include "nika/runners/built_in_protocols.hpp"

int main(int argc, char** argv) { return nika::cli::run(argc, argv, nika::built_in_protocols()); }
