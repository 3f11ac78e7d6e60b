// Runs the program as a user would, in a directory of its own, and keeps what it said.
#pragma once

#include <filesystem>
#include <functional>
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
  // The same with standard error there too, or with both of them closed; nothing can be heard.
  int code_when_both_are_full(const std::string& words) const;
  int code_when_both_are_closed(const std::string& words) const;
  // Kills it (SIGKILL) as soon as `is_time` says so, which is asked again and again; false if it has ended before.
  bool is_killed(const std::string& words, const std::function<bool()>& is_time) const;
  // Files may grow to so many KiB.
  Said run_with_file_size(unsigned kibibytes, const std::string& words) const;
  // With an address space of so many MiB.
  Said run_with_memory(unsigned mebibytes, const std::string& words) const;

  std::filesystem::path path(const std::string& name) const { return directory_ / name; }
  void write(const std::string& name, const std::string& bytes) const;
  std::string read(const std::string& name) const;
  // Its path, if there is exactly one; else nothing.
  std::string only_file_in(const std::string& directory) const;

 private:
  Said started(const std::vector<std::string>& arguments, int output, unsigned mebibytes = 0) const {
    return started(arguments, output, -1, mebibytes);
  }
  // `errors` is where standard error goes; -1: into a file, so that it can be told.
  Said started(const std::vector<std::string>& arguments, int output, int errors, unsigned mebibytes) const;

  std::filesystem::path directory_;
};

}  // namespace nika::tests
