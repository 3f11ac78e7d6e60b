#include "nika/campaign/index_work.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace nika {

Result<void> IndexWork::rewind(const std::string& path) {
  if (std::error_code failed; std::filesystem::is_directory(path, failed))
    return bad_input(fmt::format("{}: is a directory", path));
  file_ = std::ifstream(path, std::ios::binary);
  if (!file_) return bad_input(fmt::format("{}: cannot be opened for reading", path));
  auto reader = twins::IndexReader::open(file_, path);
  if (!reader) return tl::unexpected(reader.error());
  reader_.emplace(*std::move(reader));
  return {};
}

Result<twins::Settings> settings_of_index_file(const std::string& path) {
  IndexWork work;
  if (auto opened = work.rewind(path); !opened) return tl::unexpected(opened.error());
  return work.reader_->settings();
}

Result<std::unique_ptr<IndexWork>> IndexWork::open(const std::string& path, Wide size) {
  std::unique_ptr<IndexWork> work(new IndexWork);
  work->size_ = size;
  if (auto opened = work->rewind(path); !opened) return tl::unexpected(opened.error());
  for (;;) {
    const auto range = work->next();
    if (!range) return tl::unexpected(range.error());
    if (!*range) break;
    work->count_ += (*range)->size();
  }
  if (auto opened = work->rewind(path); !opened) return tl::unexpected(opened.error());
  return work;
}

}  // namespace nika
