// The scenarios of a file of indices as work. The file is read once to check it and once to run it, so that a file that
// was cut off runs nothing.
#pragma once

#include <fstream>
#include <memory>
#include <string>

#include "nika/campaign/sweep.hpp"
#include "nika/scenarios/twins/index_file.hpp"

namespace nika {

class IndexWork final : public Work {
 public:
  // `size` is that of the space that the file's settings describe.
  static Result<std::unique_ptr<IndexWork>> open(const std::string& path, Wide size);

  Wide count() const { return count_; }
  Result<std::optional<twins::Range>> next() override { return reader_->next(size_); }

 private:
  friend Result<twins::Settings> settings_of_index_file(const std::string& path);
  IndexWork() = default;
  Result<void> rewind(const std::string& path);

  std::ifstream file_;
  std::optional<twins::IndexReader> reader_;
  Wide size_ = 0;
  Wide count_ = 0;
};

// What the header of such a file says.
Result<twins::Settings> settings_of_index_file(const std::string& path);

}  // namespace nika
