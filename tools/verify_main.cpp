#include <CLI/CLI.hpp>

#include "nika/cli/verify_command.hpp"

int main(int argument_count, char** arguments) {
  CLI::App app("Tests and verifies Byzantine fault tolerant consensus", "nika");
  app.require_subcommand(1);
  int exit_code = 0;
  nika::cli::add_verify_command(app, exit_code);
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return exit_code;
}
