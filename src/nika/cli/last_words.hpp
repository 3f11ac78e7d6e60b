// What the program says when it cannot go on: one line on standard error and exit code 4, never an abort. Memory that
// runs out is thrown as std::bad_alloc and told by run(); this is for where an exception cannot get there.
#pragma once

#include <exception>
#include <string>

namespace nika::cli {

// From now on an exception that nobody catches, a big number that gets no memory and a crash end the program with one
// line.
void install_last_words();

// "out of memory …" for std::bad_alloc, "no further thread …" where that was it, "internal error: …" for all others.
std::string last_words(const std::exception& error);

}  // namespace nika::cli
