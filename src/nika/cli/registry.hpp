// The protocols that the program knows.
#pragma once

#include "nika/runners/built_in_protocols.hpp"

namespace nika::cli {

using nika::built_in_protocols;

}  // namespace nika::cli
