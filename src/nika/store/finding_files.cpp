#include "nika/store/finding_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace nika::store {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostNameBytes = 180;  // of 255, which most file systems allow
constexpr unsigned kMostAttempts = 1000;

tl::unexpected<Error> failure(const std::string& path, std::string_view what, int code) {
  return bad_input(fmt::format("{}: {}: {}", path, what, std::strerror(code)));
}

// An open file that is closed whatever happens.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  // Some file systems tell only now that there was no room.
  int close() { return ::close(std::exchange(number_, -1)); }

 private:
  int number_;
};

Result<void> write_all(int descriptor, const std::string& path, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failure(path, "could not be written", errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

// Whether file systems that cannot do it matter: they have done what they can.
bool is_synced(int descriptor) { return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP; }

Result<void> write_as_it_is(const std::string& path, std::string_view text) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.number() < 0) return failure(path, "cannot be opened for writing", errno);
  if (auto written = write_all(file.number(), path, text); !written) return written;
  if (file.close() != 0) return failure(path, "could not be written", errno);
  return {};
}

// Beside the file that it will become, under a name that nobody else uses.
std::string temporary_name(const fs::path& path) {
  static std::atomic<unsigned> count{0};
  const std::string name = fmt::format(".{}.{}-{}.tmp", path.filename().string(), ::getpid(), count++);
  return (path.parent_path() / name).string();
}

Result<void> write_whole(const std::string& temporary, Descriptor& file, const std::string& path,
                         std::string_view text) {
  if (auto written = write_all(file.number(), path, text); !written) return written;
  if (!is_synced(file.number()) || file.close() != 0) return failure(path, "could not be written", errno);
  if (::rename(temporary.c_str(), path.c_str()) != 0) return failure(path, "could not be given its name", errno);
  return {};
}

// A name is on the disk when its directory is.
Result<void> sync_directory_of(const fs::path& path) {
  const std::string directory = path.has_parent_path() ? path.parent_path().string() : ".";
  const Descriptor opened(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A directory that may be written to but not read cannot be opened; its files are there all the same.
  if (opened.number() < 0 && errno == EACCES) return {};
  if (opened.number() < 0 || !is_synced(opened.number())) return failure(directory, "could not be written", errno);
  return {};
}

std::string word_for_file(std::string_view text) {
  std::string word(text);
  for (char& c : word) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!is_plain && c != '_') c = '-';
  }
  return word;
}

}  // namespace

Result<void> write_text_file(const std::string& path, const std::string& text) {
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  if (fs::is_directory(status)) return bad_input(fmt::format("{}: is a directory, expected the name of a file", path));
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_as_it_is(path, text);
  // What a link points to is replaced, not the link.
  const bool is_link = fs::is_symlink(fs::symlink_status(path, failed));
  const fs::path target = is_link ? fs::weakly_canonical(path, failed) : fs::path(path);
  if (is_link && failed) return bad_input(fmt::format("{}: cannot be followed: {}", path, failed.message()));
  for (unsigned attempt = 0; attempt < kMostAttempts; ++attempt) {
    const std::string temporary = temporary_name(target);
    Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.number() < 0 && errno == EEXIST) continue;
    if (file.number() < 0) return failure(path, "cannot be made", errno);
    if (auto written = write_whole(temporary, file, target.string(), text); !written) {
      ::unlink(temporary.c_str());
      return written;
    }
    return sync_directory_of(target);
  }
  return bad_input(fmt::format("{}: there are too many files of broken-off writings beside it", path));
}

Result<void> check_findings_directory(const std::string& directory) {
  std::error_code failed;
  fs::path existing = fs::absolute(directory, failed);
  while (!fs::exists(existing, failed) && existing.has_relative_path()) existing = existing.parent_path();
  if (!fs::is_directory(existing, failed)) {
    return bad_input(
        fmt::format("{}: findings cannot be stored there: {} is no directory", directory, existing.string()));
  }
  if (::access(existing.c_str(), W_OK | X_OK) != 0) {
    return bad_input(
        fmt::format("{}: findings cannot be stored there: {} cannot be written to", directory, existing.string()));
  }
  return {};
}

std::string file_name_of(const Finding& finding, const Fingerprint& name) {
  std::string words = word_for_file(finding.scenario.protocol);
  for (const std::string& bug : finding.scenario.bugs) words += "-" + word_for_file(bug);
  words += "-" + word_for_file(finding.property);
  if (words.size() > kMostNameBytes) words.resize(kMostNameBytes);
  return fmt::format("{}-{:016x}.json", words, name.high);
}

Result<std::string> store_finding(const Finding& finding, const Vocabulary& words, const Fingerprint& name,
                                  const std::string& directory) {
  std::error_code failed;
  fs::create_directories(directory, failed);
  if (failed) return bad_input(fmt::format("{}: cannot be made: {}", directory, failed.message()));
  const std::string path = (fs::path(directory) / file_name_of(finding, name)).string();
  if (auto written = write_text_file(path, to_json(finding, words)); !written) return tl::unexpected(written.error());
  return path;
}

}  // namespace nika::store
