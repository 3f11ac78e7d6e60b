// Runs the program as a user would, in a directory of its own, and keeps what it said.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace nika::tests {

struct Said {
  int exit_code = -1;
  std::string out;
  std::string err;

  nlohmann::json json() const;
};

class Program {
 public:
  Program();
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // The arguments are given to the program as they are, without a shell.
  Said run(const std::vector<std::string>& arguments) const;
  Said run(const std::string& words) const;  // separated by single spaces
  // The same, as if it were installed under another name.
  Said run_as(const std::string& name, const std::string& words) const;
  // With standard output on a disk that is full, or on a pipe that nobody reads any more; `out` is empty.
  Said run_on_full_disk(const std::string& words) const;
  Said run_on_closed_pipe(const std::string& words) const;
  // With an address space of so many MiB.
  Said run_with_memory(unsigned mebibytes, const std::string& words) const;

  std::filesystem::path path(const std::string& name) const { return directory_ / name; }
  void write(const std::string& name, const std::string& bytes) const;
  std::string read(const std::string& name) const;

 private:
  Said started(const std::vector<std::string>& arguments, int output, unsigned mebibytes = 0) const;

  std::filesystem::path directory_;
};

}  // namespace nika::tests
