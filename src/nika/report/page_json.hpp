// Writes a page's document as JSON and its TypeScript types, both from the descriptions of its fields.
#pragma once

#include <string>

#include "nika/report/page.hpp"

namespace nika::report {

// One line. Whoever puts it into HTML has to escape it: see page_html.hpp.
std::string to_json(const Page& page);

// The interfaces of the document, as web/src/document.ts has them.
std::string typescript_types();

}  // namespace nika::report
