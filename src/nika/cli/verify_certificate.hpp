// nika verify --certificate DIR: what makes the properties hold that do, as questions that another solver can answer.
// docs/verify.md describes the files; verify_check.hpp reads them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "nika/automata/parser.hpp"
#include "nika/base/result.hpp"
#include "nika/cli/verify_workers.hpp"

namespace nika::cli {

inline constexpr const char* kManifestFile = "manifest.json";
inline constexpr const char* kModelFile = "model.ta";
inline constexpr const char* kCertificateFormat = "nika certificate";
inline constexpr int kCertificateVersion = 1;
// What the preparation says of an automaton that has no run.
inline constexpr const char* kNothingCanStart = "at first impossible: true";

// 32 hexadecimal digits.
std::string fingerprint_text(std::string_view text);
// Of all of the manifest but its own fingerprint.
std::string manifest_fingerprint(nlohmann::ordered_json manifest);

// Whether a certificate can be written there, asked before the work: nothing has that name, or an empty directory.
Result<void> check_certificate_directory(const std::string& directory);

struct CertifiedWork {
  const automata::SourceText& source;
  const automata::Automaton& automaton;
  const WorkResult& result;  // of an order that records
  automata::DivisionMeaning division = automata::DivisionMeaning::exact;
};

// Everything or nothing: the directory gets its name when all files are in it. Returns how many properties it is about.
Result<std::size_t> write_certificate(const CertifiedWork& work, const std::string& directory);

}  // namespace nika::cli
