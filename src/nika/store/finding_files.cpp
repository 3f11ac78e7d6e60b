#include "nika/store/finding_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
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

// Gives a file its final name: 0, or the error number.
using Naming = int (*)(const char* temporary, const char* path);

int replace(const char* temporary, const char* path) { return ::rename(temporary, path) == 0 ? 0 : errno; }

// EEXIST if anything has that name. Not every file system can rename in this way; those that cannot know links.
int name_if_free(const char* temporary, const char* path) {
  if (::renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  if (::link(temporary, path) != 0) return errno;
  ::unlink(temporary);
  return 0;
}

// Whether it got the name: false if that is taken.
Result<bool> write_whole(const std::string& temporary, Descriptor& file, const std::string& path, std::string_view text,
                         Naming naming) {
  if (auto written = write_all(file.number(), path, text); !written) return tl::unexpected(written.error());
  if (!is_synced(file.number()) || file.close() != 0) return failure(path, "could not be written", errno);
  const int error = naming(temporary.c_str(), path.c_str());
  if (error != 0 && error != EEXIST) return failure(path, "could not be given its name", error);
  return error == 0;
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

// Writes it beside its place and then names it. Whether it got the name.
Result<bool> write_beside(const fs::path& target, const std::string& path, std::string_view text, Naming naming) {
  for (unsigned attempt = 0; attempt < kMostAttempts; ++attempt) {
    const std::string temporary = temporary_name(target);
    Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.number() < 0 && errno == EEXIST) continue;
    if (file.number() < 0) return failure(path, "cannot be made", errno);
    const auto written = write_whole(temporary, file, target.string(), text, naming);
    if (!written || !*written) {
      ::unlink(temporary.c_str());
      return written;
    }
    if (auto synced = sync_directory_of(target); !synced) return tl::unexpected(synced.error());
    return true;
  }
  return bad_input(fmt::format("{}: there are too many files of broken-off writings beside it", path));
}

bool holds(const std::string& path, const std::string& text) {
  const auto there = read_text_file(path);
  return there && *there == text;
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
  const auto written = write_beside(target, path, text, replace);
  if (!written) return tl::unexpected(written.error());
  if (!*written) return failure(path, "could not be given its name", EEXIST);
  return {};
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

namespace {

std::string name_with(const Finding& finding, const Fingerprint& name, std::string_view mark, unsigned number) {
  std::string words = word_for_file(finding.scenario.protocol);
  for (const std::string& bug : finding.scenario.bugs) words += "-" + word_for_file(bug);
  words += "-" + word_for_file(finding.property);
  if (words.size() > kMostNameBytes) words.resize(kMostNameBytes);
  return fmt::format("{}-{:016x}{}{}.json", words, name.high, mark, number > 1 ? fmt::format("-{}", number) : "");
}

}  // namespace

std::string file_name_of(const Finding& finding, const Fingerprint& name, unsigned number) {
  return name_with(finding, name, "", number);
}

Result<StoredFinding> store_finding(const Finding& finding, const Vocabulary& words, const Fingerprint& name,
                                    const std::string& directory, std::string_view mark) {
  std::error_code failed;
  fs::create_directories(directory, failed);
  if (failed) return bad_input(fmt::format("{}: cannot be made: {}", directory, failed.message()));
  const std::string text = to_json(finding, words);
  for (unsigned number = 1; number <= kMostAttempts; ++number) {
    const std::string path = (fs::path(directory) / name_with(finding, name, mark, number)).string();
    if (!fs::exists(path, failed)) {
      const auto written = write_beside(path, path, text, name_if_free);
      if (!written) return tl::unexpected(written.error());
      if (*written) return StoredFinding{path, true};
    }
    if (holds(path, text)) return StoredFinding{path, false};
  }
  return bad_input(fmt::format("{}: there are {} other findings of the name {} already", directory, kMostAttempts,
                               name_with(finding, name, mark, 1)));
}

}  // namespace nika::store
