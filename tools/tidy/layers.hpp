// The folders of src/nika and what each may include: the table of docs/architecture.md, checked against #include lines.
#pragma once

#include <span>
#include <string_view>

#include "tidy/source.hpp"
#include "tidy/violation.hpp"

namespace nika::tidy {

struct Layer {
  std::string_view folder;
  std::string_view may_include;  // names of folders, separated by spaces
  bool deterministic;            // no clock, no randomness of the machine, no thread-locals

  bool allows(std::string_view other) const;
};

// Ordered from the bottom: a folder may include only folders that stand before it.
std::span<const Layer> layers();
const Layer* layer_named(std::string_view folder);

// Includes that the table does not allow. Tests and fuzzers may include everything below cli.
Violations check_includes(const SourceFile& file);

// Folders that include each other in a circle, each circle reported once, at one of its #include lines.
Violations check_cycles(std::span<const SourceFile> files);

}  // namespace nika::tidy
