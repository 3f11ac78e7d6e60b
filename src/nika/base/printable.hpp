// Text from files and from the command line, made fit for a terminal: nothing in it moves the cursor, rings, hides or
// turns other text around, and none of it is longer than a reader wants.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace nika {

// Control characters, bytes that are no UTF-8 and marks that change the direction of writing become "\n", "\x1b" or
// "\u202e"; all else stays as it is.
std::string printable(std::string_view text);

// The same JSON text, with what printable() escapes escaped as JSON does: whoever reads it gets the same values. Lines
// stay lines. Expects JSON whose layout has no tabs.
std::string printable_json(std::string_view json);

// At most `most` characters: what is longer loses its middle to "…". Expects text that is printable.
std::string shortened(std::string_view text, std::size_t most);

// What was read, for an error message: "\"…\"", printable, at most 40 characters of it.
std::string in_quotes(std::string_view text);

}  // namespace nika
