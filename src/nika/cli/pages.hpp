// Pages of `nika report` and of the options --html: what is stored becomes a document, and the document a file.
#pragma once

#include <string>

#include "nika/campaign/registry.hpp"
#include "nika/report/page.hpp"
#include "nika/store/attack.hpp"
#include "nika/store/finding.hpp"

namespace nika::cli {

// An error if the program was built without a page, or if the file has no name: asked before anything is run.
Result<void> check_page_output(const std::string& file);
Result<void> write_page(const report::Page& page, const std::string& file);

// With the protocol's names of what can be lied about, if it is one of the registry.
report::Page page_of_finding(const Registry& registry, const store::Finding& finding);
// Runs both sides of the attack for their traces, and makes a finding of the flawed one. An error if it breaks nothing.
Result<report::Page> page_of_attack(const Registry& registry, const store::Attack& attack);

// "report.html" for the first of several pages, "report-2.html" for the second.
std::string numbered_file(const std::string& file, std::size_t number);

}  // namespace nika::cli
