// Puts a document into the page that web/ builds. Whatever stands in the document, nothing of it is ever taken for HTML
// or for a script: all characters that could end the element are written as escapes of JSON.
#pragma once

#include <string>
#include <string_view>

#include "nika/base/result.hpp"
#include "nika/report/page.hpp"

namespace nika::report {

// Where the document goes: a JSON string that the page cannot show by itself.
inline constexpr std::string_view kDocumentMark = "\"NIKA_DOCUMENT\"";

// JSON that may stand inside of a script element of HTML.
std::string json_for_html(std::string_view json);

// An error if the page has no place for the document, or more than one.
Result<std::string> html_of(const Page& page, std::string_view page_without_document);

}  // namespace nika::report
