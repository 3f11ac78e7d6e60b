// What nika conform --counterexample tells: counterexamples of an automaton as runs of the protocol, as text and JSON.
#pragma once

#include <string>
#include <vector>

#include "nika/cli/console.hpp"
#include "nika/conform/counterexample.hpp"

namespace nika::cli {

// Stores what was shown as findings in the directory; the files, empty where there is none.
std::vector<std::string> store_shown(const std::vector<conform::Shown>& shown, const Runner& runner,
                                     const std::string& directory);
// Violated if every one is seen to happen, unknown otherwise.
Conclusion conclusion_of(const std::vector<conform::Shown>& shown);
void print_shown(const conform::Request& request, const std::vector<conform::Shown>& shown,
                 const std::vector<std::string>& files);
Json json_of_shown(const conform::Request& request, const std::vector<conform::Shown>& shown,
                   const std::vector<std::string>& files);

}  // namespace nika::cli
