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
// nothing else shares it. From the second on a number follows: "…-<16 digits>-2.json".
std::string file_name_of(const Finding& finding, const Fingerprint& name, unsigned number = 1);

struct StoredFinding {
  std::string path;
  bool is_new = true;  // false: it was there already, byte for byte
};

// Makes the directory if it is missing. The same finding again is the same file. One that is there with other content
// stays, whoever wrote it and whenever: then the number grows. `mark` goes before the number.
Result<StoredFinding> store_finding(const Finding& finding, const Vocabulary& words, const Fingerprint& name,
                                    const std::string& directory, std::string_view mark = "");

}  // namespace nika::store
