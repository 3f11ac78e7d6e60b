// The page that web/ builds, without a document, as it is built into the program; empty if Node.js was missing then.
// Filled by cmake/EmbedPage.cmake.
#pragma once

#include <string>

namespace nika::cli {

std::string built_in_page();

}  // namespace nika::cli
