// Text for a terminal: lines of a given width, words kept whole, and nothing in them that a terminal would obey.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace nika::report {

inline constexpr std::size_t kDefaultColumns = 100;

// Lines of at most `columns` characters as far as words allow it; later lines begin with `indent`. Every line ends with
// a newline. Control characters of the text are spelled out, as printable() does.
std::string wrapped(std::string_view text, std::string_view indent, std::string_view first_indent,
                    std::size_t columns = kDefaultColumns);

// "1 round", "2 rounds".
std::string plural(std::size_t count, std::string_view noun);

}  // namespace nika::report
