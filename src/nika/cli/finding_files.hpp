// Turns discoveries into finding files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "nika/campaign/discover.hpp"
#include "nika/campaign/registry.hpp"
#include "nika/sim/simulator.hpp"
#include "nika/store/finding.hpp"

namespace nika::cli {

// A scenario run once more, with all that happened.
struct TracedRun {
  Cluster cluster;
  Outcome outcome;
  Trace trace;
};
Result<TracedRun> run_traced(const Runner& runner, const Scenario& scenario, Properties properties = {});

// The words of the protocols in the registry, for reading files.
store::VocabularyOf words_in(const Registry& registry);
store::Vocabulary words_of(const Runner& runner);

Result<store::Finding> finding_of(const Runner& runner, const Discovery& discovery, const std::string& settings_json);

// Whether findings can be stored there, asked before a long search so that none is lost. Makes nothing.
Result<void> check_findings_directory(const std::string& directory);

struct StoredFinding {
  store::Finding finding;
  std::string file;
  std::optional<Wide> index;
};
// Makes the directory if it is missing. The file's name says protocol, bugs, property and which class of renamings.
Result<StoredFinding> store_finding(const Runner& runner, const Discovery& discovery, const std::string& settings_json,
                                    const std::string& directory);

}  // namespace nika::cli
