# Writes OUTPUT, a C++ file that holds the page PAGE, or none if PAGE is empty: cmake -D PAGE=… -D OUTPUT=… -P this.
# In pieces, since compilers need not take longer texts; the page is plain ASCII, which its build looks after.
set(pieces "")
set(count 0)
if(PAGE)
  file(READ ${PAGE} text)
  string(LENGTH "${text}" length)
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 30000 piece)
    string(APPEND pieces "      R\"nika-page(${piece})nika-page\",\n")
    math(EXPR at "${at} + 30000")
    math(EXPR count "${count} + 1")
  endwhile()
endif()
file(WRITE ${OUTPUT} "// Made from web/ by cmake/EmbedPage.cmake.
#include <array>
#include <string_view>

#include \"nika/cli/built_in_page.hpp\"

namespace nika::cli {

std::string built_in_page() {
  static constexpr std::array<std::string_view, ${count}> kPieces{
${pieces}  };
  std::string page;
  for (const std::string_view piece : kPieces) page += piece;
  return page;
}

}  // namespace nika::cli
")
