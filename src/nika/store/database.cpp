#include "nika/store/database.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "nika/base/printable.hpp"

namespace nika::store {
namespace {

constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr int kPatienceMilliseconds = 10'000;  // until a reader that is in the way is done
constexpr int kLongestValue = 256 << 20;
// Far behind the bytes that the library locks, so that neither is in the way of the other.
constexpr off_t kLockedByte = off_t{1} << 60U;

std::string shown(const std::string& path) { return shortened(printable(path), 120); }

tl::unexpected<Error> refused(const std::string& path, std::string_view why) {
  return bad_input(fmt::format("{}: {}", shown(path), why));
}

tl::unexpected<Error> failure(const std::string& path, std::string_view what, int code) {
  return refused(path, fmt::format("{}: {}", what, std::strerror(code)));
}

// What the path names, before the library looks at it. `size` is 0 where nothing is.
Result<void> check_kind(const std::string& path, bool to_write, off_t& size) {
  struct stat status{};
  size = 0;
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT && to_write) return {};
    return failure(path, "cannot be opened", errno);
  }
  if (S_ISDIR(status.st_mode)) return refused(path, "is a directory, expected the file of a campaign");
  if (!S_ISREG(status.st_mode)) return refused(path, "is a device or a pipe, expected the file of a campaign");
  size = status.st_size;
  return {};
}

Result<void> check_magic(const std::string& path, int descriptor) {
  std::array<char, kMagic.size()> start{};
  const ssize_t read = ::pread(descriptor, start.data(), start.size(), 0);
  if (read < 0) return failure(path, "cannot be read", errno);
  if (std::string_view(start.data(), static_cast<std::size_t>(read)) == kMagic) return {};
  return refused(path, "is no database, expected the file of a campaign");
}

// As the library wants a name that it is to read without any files beside it.
std::string immutable_name(const std::string& path) {
  std::string name = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '.' || c == '-';
    name += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return name + "?immutable=1";
}

}  // namespace

Database::Database(Database&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)), database_(std::move(other.database_)) {}

Database& Database::operator=(Database&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  std::swap(database_, other.database_);
  return *this;
}

Database::~Database() {
  database_.reset();
  if (lock_ >= 0) ::close(lock_);
}

Result<Database> Database::to_write(const std::string& path) {
  off_t size = 0;
  if (auto kind = check_kind(path, true, size); !kind) return tl::unexpected(kind.error());
  Database database(path, ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (database.lock_ < 0) return failure(path, "cannot be opened for writing", errno);
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = kLockedByte;
  lock.l_len = 1;
  if (::fcntl(database.lock_, F_OFD_SETLK, &lock) != 0) {
    if (errno == EAGAIN || errno == EACCES)
      return refused(path, "another process is running this campaign; `campaign show` and `top` can look at it");
    return failure(path, "cannot be locked", errno);
  }
  if (size > 0) {
    if (auto magic = check_magic(path, database.lock_); !magic) return tl::unexpected(magic.error());
  }
  if (auto opened = database.open(true); !opened) return tl::unexpected(opened.error());
  return database;
}

Result<Database> Database::to_read(const std::string& path) {
  off_t size = 0;
  if (auto kind = check_kind(path, false, size); !kind) return tl::unexpected(kind.error());
  if (size == 0) return refused(path, "is empty: it holds no campaign");
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return failure(path, "cannot be opened", errno);
  const auto magic = check_magic(path, descriptor);
  ::close(descriptor);
  if (!magic) return tl::unexpected(magic.error());
  Database database(path, -1);
  if (auto opened = database.open(false); !opened) return tl::unexpected(opened.error());
  return database;
}

Result<void> Database::open(bool to_write) {
  const auto set_up = [](SQLite::Database& database) {
    sqlite3_limit(database.getHandle(), SQLITE_LIMIT_LENGTH, kLongestValue);
    // The file may come from anybody.
    database.exec("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;");
    database.exec("SELECT count(*) FROM sqlite_schema");
  };
  try {
    const int flags = to_write ? SQLite::OPEN_READWRITE : SQLite::OPEN_READONLY;
    database_ = std::make_unique<SQLite::Database>(path_, flags, kPatienceMilliseconds);
    set_up(*database_);
    return {};
  } catch (const SQLite::Exception& error) {
    const bool has_log = std::filesystem::exists(path_ + "-wal");
    const bool lacks_files = error.getErrorCode() == SQLITE_CANTOPEN || error.getErrorCode() == SQLITE_READONLY;
    if (to_write || has_log || !lacks_files) return tl::unexpected(told(error));
  }
  // A file that was closed in order, in a folder where the library can make none of its own beside it.
  try {
    database_ = std::make_unique<SQLite::Database>(immutable_name(path_), SQLite::OPEN_READONLY | SQLite::OPEN_URI);
    set_up(*database_);
    return {};
  } catch (const SQLite::Exception& error) {
    return tl::unexpected(told(error));
  }
}

Error Database::damaged(const std::string& what) const {
  return {fmt::format("{}: is damaged ({}): take a copy from before, or start the campaign anew", shown(path_),
                      shortened(printable(what), 80))};
}

Error Database::told(const SQLite::Exception& error) const {
  const int reason = database_ == nullptr ? 0 : sqlite3_system_errno(database_->getHandle());
  const std::string because = reason != 0 ? fmt::format(": {}", std::strerror(reason)) : "";
  const auto line = [&](std::string_view what) { return Error{fmt::format("{}: {}", shown(path_), what)}; };
  switch (error.getErrorCode()) {
    case SQLITE_NOTADB: return line("is no database, expected the file of a campaign");
    case SQLITE_CORRUPT: return damaged(error.what());
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_NOMEM:
      return line(fmt::format("could not be written{}; what it holds is kept, and `campaign resume` goes on from there",
                              because.empty() ? std::string(": ") + error.what() : because));
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      return line(fmt::format("it, or its folder, cannot be written to{}",
                              because.empty() ? std::string(": ") + error.what() : because));
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return line("another program is writing to it");
    default: return line(fmt::format("cannot be used: {}", shortened(printable(error.what()), 80)));
  }
}

}  // namespace nika::store
