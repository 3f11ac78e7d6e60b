// An attack for people: where it comes from, what it does, and the steps of its source.
#pragma once

#include <string>

#include "nika/report/wrapped.hpp"
#include "nika/store/attack.hpp"

namespace nika::report {

// Source, explanation and numbered steps, without the name.
std::string introduction_of(const store::Attack& attack, std::size_t columns = kDefaultColumns);

}  // namespace nika::report
