#include "nika/report/page_html.hpp"

#include "nika/report/page_json.hpp"

namespace nika::report {

std::string json_for_html(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 64);
  for (std::size_t i = 0; i < json.size(); ++i) {
    // These three stand only inside of texts in JSON, where an escape means the same. So do the line separators
    // U+2028 and U+2029, which once ended a line of a script.
    switch (json[i]) {
      case '<': out += "\\u003c"; continue;
      case '>': out += "\\u003e"; continue;
      case '&': out += "\\u0026"; continue;
      default: break;
    }
    const std::string_view rest = json.substr(i, 3);
    if (rest == "\xe2\x80\xa8" || rest == "\xe2\x80\xa9") {
      out += rest == "\xe2\x80\xa8" ? "\\u2028" : "\\u2029";
      i += 2;
      continue;
    }
    out += json[i];
  }
  return out;
}

Result<std::string> html_of(const Page& page, std::string_view page_without_document) {
  const std::size_t at = page_without_document.find(kDocumentMark);
  if (at == std::string_view::npos || page_without_document.find(kDocumentMark, at + 1) != std::string_view::npos)
    return bad_input("the page that is built in has not one place for a document, expected one");
  std::string html(page_without_document.substr(0, at));
  html += json_for_html(to_json(page));
  html += page_without_document.substr(at + kDocumentMark.size());
  return html;
}

}  // namespace nika::report
