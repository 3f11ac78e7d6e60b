// The folders of src/nika and what each may include: tools/layers.txt, checked against #include lines.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "tidy/source.hpp"
#include "tidy/violation.hpp"

namespace nika::tidy {

struct Layer {
  std::string_view folder;
  std::vector<std::string_view> may_include;
  bool deterministic = false;  // no clock, no randomness of the machine, no thread-locals
  bool has_threads = false;    // threads, locks and clocks are its business

  bool allows(std::string_view other) const;
};

// A line for each folder: its name, then marks (repeatable, threads), a colon, and the folders that it may include.
std::vector<Layer> read_layers(std::string_view table);
// The text of tools/layers.txt.
std::string_view layer_table();

// Ordered from the bottom: a folder may include only folders that stand before it.
std::span<const Layer> layers();
const Layer* layer_named(std::string_view folder);

// Includes that the table does not allow. Tests and fuzzers may include everything below cli.
Violations check_includes(const SourceFile& file);

// Headers that only tests can use would be installed with the others: they are named x_test.hpp, which are not.
Violations check_test_headers(const SourceFile& file);

// Folders that include each other in a circle, each circle reported once, at one of its #include lines.
Violations check_cycles(std::span<const SourceFile> files);

}  // namespace nika::tidy
