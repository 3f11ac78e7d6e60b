#include "nika/cli/verify_certificate.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "nika/automata/printer.hpp"
#include "nika/base/fingerprint.hpp"
#include "nika/base/version.hpp"
#include "nika/cli/console.hpp"
#include "nika/smt/smtlib.hpp"
#include "nika/store/finding_files.hpp"

namespace nika::cli {
namespace {

namespace fs = std::filesystem;

const char* name_of(smt::Backend backend) {
  switch (backend) {
    case smt::Backend::z3: return "z3";
    case smt::Backend::cvc5: return "cvc5";
    case smt::Backend::both: break;
  }
  return "both";
}

class Certificate {
 public:
  explicit Certificate(const CertifiedWork& work) : work_(work) {
    const std::string fingerprint = fingerprint_text(work.source.text);
    const std::string original = fs::path(work.source.file).filename().string();
    manifest_ = {{"format", kCertificateFormat},
                 {"format_version", kCertificateVersion},
                 {"tool", "nika"},
                 {"tool_version", version()},
                 {"model", {{"file", kModelFile}, {"original", original}, {"fingerprint", fingerprint}}},
                 {"division", work.division == automata::DivisionMeaning::floor ? "floor" : "exact"},
                 {"queries", Json::array()},
                 {"properties", Json::array()}};
    files_.emplace_back(kModelFile, work.source.text);
    add_preparation();
    for (std::size_t i = 0; i < work.result.properties.size(); ++i) add_property(i);
    manifest_["fingerprint"] = manifest_fingerprint(manifest_);
    files_.emplace_back(kManifestFile, lines_of(manifest_));
  }

  const std::vector<std::pair<std::string, std::string>>& files() const { return files_; }
  std::size_t certified() const { return certified_; }

 private:
  // Returns the name of its file.
  std::string add(const smt::Refutation& refutation, const std::string& name, const Json& property) {
    const std::string remark = fmt::format(
        "{}: {}", property.is_null() ? std::string("all properties") : property.get<std::string>(), refutation.about);
    std::string text = smt::smtlib_text(refutation.formulas, remark);
    manifest_["queries"].push_back({{"file", name},
                                    {"property", property},
                                    {"about", refutation.about},
                                    {"expected", "unsat"},
                                    {"solver", name_of(refutation.backend)},
                                    {"fingerprint", fingerprint_text(text)}});
    files_.emplace_back(name, std::move(text));
    return name;
  }

  void add_preparation() {
    const std::vector<smt::Refutation>& refutations = work_.result.preparation;
    for (std::size_t i = 0; i < refutations.size(); ++i) {
      const std::string name = add(refutations[i], fmt::format("preparation-{:04}.smt2", i + 1), nullptr);
      if (refutations[i].about == kNothingCanStart) no_start_ = name;
    }
  }

  void add_property(std::size_t index) {
    const automata::Specification& specification = work_.automaton.specifications[index];
    const automata::Outcome& outcome = work_.result.properties[index].outcome;
    Json entry = {{"name", specification.name},
                  {"formula", printed(work_.automaton, *specification.formula)},
                  {"verdict", word_for(outcome)},
                  {"certified", false},
                  {"queries", Json::array()}};
    if (outcome.verdict == automata::Verdict::holds) {
      if (!outcome.note.empty()) entry["note"] = outcome.note;
      if (!outcome.by_symmetry_with.empty()) {
        entry["by_symmetry_with"] = outcome.by_symmetry_with;
        entry["queries"] = queries_of(outcome.by_symmetry_with);
      } else if (outcome.proof) {
        entry["queries"].push_back(
            add(*outcome.proof, fmt::format("property-{:04}.smt2", index + 1), specification.name));
      } else if (!no_start_.empty()) {
        entry["queries"].push_back(no_start_);
      }
      entry["certified"] = !entry["queries"].empty();
      if (entry["certified"]) ++certified_;
    }
    manifest_["properties"].push_back(std::move(entry));
  }

  // An image comes after what it is an image of.
  Json queries_of(const std::string& name) const {
    for (const Json& property : manifest_["properties"]) {
      if (property["name"] == name) return property["queries"];
    }
    return Json::array();
  }

  const CertifiedWork& work_;
  Json manifest_;
  std::vector<std::pair<std::string, std::string>> files_;
  std::string no_start_;  // the query that shows that nothing can start, if that is so
  std::size_t certified_ = 0;
};

Result<void> write_files(const Certificate& certificate, const fs::path& directory) {
  std::error_code error;
  fs::create_directory(directory, error);
  if (error) return bad_input(fmt::format("{} could not be made: {}", directory.string(), error.message()));
  for (const auto& [name, text] : certificate.files()) {
    if (auto written = store::write_text_file((directory / name).string(), text); !written) return written;
  }
  return {};
}

}  // namespace

std::string fingerprint_text(std::string_view text) {
  const Fingerprint fingerprint = fingerprint_of(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", fingerprint.high, fingerprint.low);
}

std::string manifest_fingerprint(nlohmann::ordered_json manifest) {
  manifest.erase("fingerprint");
  return fingerprint_text(manifest.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Result<void> check_certificate_directory(const std::string& directory) {
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  const bool is_free = status.type() == fs::file_type::not_found ||
                       (fs::is_directory(status) && fs::is_empty(directory, error) && !error);
  if (!is_free) return bad_input(directory + " is there already, expected a new or an empty directory");
  const fs::path parent = fs::absolute(directory, error).lexically_normal().parent_path();
  if (!fs::is_directory(parent, error)) return bad_input(directory + ": the directory above it does not exist");
  return {};
}

Result<std::size_t> write_certificate(const CertifiedWork& work, const std::string& directory) {
  const Certificate certificate(work);
  std::string plain = fs::path(directory).lexically_normal().string();
  while (plain.size() > 1 && plain.ends_with('/')) plain.pop_back();
  const fs::path temporary = fmt::format("{}.{}.tmp", plain, ::getpid());
  std::error_code error;
  if (auto written = write_files(certificate, temporary); !written) {
    fs::remove_all(temporary, error);
    return tl::unexpected(written.error());
  }
  fs::rename(temporary, plain, error);
  if (error) {
    const std::string reason = error.message();
    fs::remove_all(temporary, error);
    return bad_input(fmt::format("{} could not be given its name: {}", directory, reason));
  }
  return certificate.certified();
}

}  // namespace nika::cli
