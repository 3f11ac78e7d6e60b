// An attack for people: where it comes from, what it does, and the steps of its source.
#pragma once

#include <string>

#include "nika/store/attack.hpp"

namespace nika::report {

// Lines of at most 100 columns, words kept whole; every line ends with a newline.
std::string wrapped(const std::string& text, const std::string& indent, const std::string& first_indent);
// Source, explanation and numbered steps, without the name.
std::string introduction_of(const store::Attack& attack);

}  // namespace nika::report
