// One SQLite file: opened for one writer at a time or to be read, and whatever goes wrong told in one line that names
// it. The only header of the store that sees the library; what the tables mean is told in campaign_file.hpp.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <memory>
#include <string>

#include "nika/base/result.hpp"

namespace nika::store {

class Database {
 public:
  // Makes the file if there is none. Nobody else can write to it while this lives, and everybody can read it.
  static Result<Database> to_write(const std::string& path);
  // An error if it is not there, or empty. Changes nothing.
  static Result<Database> to_read(const std::string& path);

  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  const std::string& path() const { return path_; }

  // Runs the body, which may throw what the library throws. After an error in a transaction nothing of it is there.
  template <class Body>
  auto guarded(const Body& body) const -> Result<decltype(body(std::declval<SQLite::Database&>()))> {
    try {
      if constexpr (std::is_void_v<decltype(body(*database_))>) {
        body(*database_);
        return {};
      } else {
        return body(*database_);
      }
    } catch (const SQLite::Exception& error) {
      return tl::unexpected(told(error));
    }
  }
  // Something in it is not as it was written.
  Error damaged(const std::string& what) const;

 private:
  Database(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}
  Error told(const SQLite::Exception& error) const;
  Result<void> open(bool to_write);

  std::string path_;
  int lock_ = -1;  // a descriptor that is closed after the database: closing it lets go of the library's own locks
  std::unique_ptr<SQLite::Database> database_;
};

}  // namespace nika::store
