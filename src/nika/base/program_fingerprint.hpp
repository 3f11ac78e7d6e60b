// Which program this is, down to its last byte: results of a run that lasts for days are told apart by it.
#pragma once

#include <string>

namespace nika {

// Of the file that is being run, in 32 hexadecimal digits; "unknown" if the system does not show it.
std::string program_fingerprint();

// The same of any file; empty if it cannot be read.
std::string file_fingerprint(const std::string& path);

}  // namespace nika
