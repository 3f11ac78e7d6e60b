// Reads a file that a user named. Whatever that turns out to be, at most a bound of it is read.
#pragma once

#include <cstddef>
#include <string>

#include "nika/base/result.hpp"

namespace nika {

// The error names the file and says in one line why it cannot be read: missing, a directory, larger than `most_bytes`.
Result<std::string> read_text_file(const std::string& path, std::size_t most_bytes);

}  // namespace nika
