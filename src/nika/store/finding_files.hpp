// Findings on disk. A file is there whole or not at all, whatever happens while it is written.
#pragma once

#include <string>

#include "nika/base/fingerprint.hpp"
#include "nika/store/finding.hpp"

namespace nika::store {

// Writes a file of the same directory, makes sure that it is on the disk, and gives it the name. After an error what
// was there before is still there. A device or a pipe is written to as it is.
Result<void> write_text_file(const std::string& path, const std::string& text);

// Whether findings can be stored there, asked before a long search so that none is lost. Makes nothing.
Result<void> check_findings_directory(const std::string& directory);

// "<protocol>-<bugs>-<property>-<16 digits>.json". `name` is the same for findings that differ only by names of nodes:
// nothing else shares a file.
std::string file_name_of(const Finding& finding, const Fingerprint& name);

// Makes the directory if it is missing, and tells the path of the file. The same finding again is the same file.
Result<std::string> store_finding(const Finding& finding, const Vocabulary& words, const Fingerprint& name,
                                  const std::string& directory);

}  // namespace nika::store
