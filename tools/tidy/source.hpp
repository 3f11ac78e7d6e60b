// A source file as the rules see it: its lines as written, and the same lines with only the code or only the comments
// left, so that a word in a string or a comment is never taken for code. Lines and columns stay where they were.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nika::tidy {

struct SourceFile {
  std::string path;  // relative to the root of the project, with forward slashes
  std::vector<std::string> lines;
  std::vector<std::string> code;      // comments and the insides of literals are blank
  std::vector<std::string> comments;  // everything else is blank

  bool is_header() const { return path.ends_with(".hpp"); }
  bool is_test() const {
    return path.ends_with("_test.cpp") || path.ends_with("_test.hpp") || path.ends_with("_fuzz.cpp");
  }
  bool is_library() const { return path.starts_with("src/nika/"); }
  // "base" for src/nika/base/ids.hpp; empty for a file that is in no folder of src/nika.
  std::string_view folder() const;
};

SourceFile parse_source(std::string path, std::string_view text);

}  // namespace nika::tidy
