#include "end_to_end/program.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace nika::tests {
namespace {

constexpr int kClosed = 1000;  // no descriptor of the tests

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

int writable(const std::filesystem::path& path) { return open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600); }

std::vector<std::string> split(const std::string& words) {
  std::vector<std::string> result;
  std::istringstream stream(words);
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

}  // namespace

nlohmann::json Said::json() const { return nlohmann::json::parse(out); }

Program::Program() {
  std::string pattern = (std::filesystem::temp_directory_path() / "nika-test-XXXXXX").string();
  directory_ = mkdtemp(pattern.data());
}

Program::~Program() { std::filesystem::remove_all(directory_); }

Said Program::started(const std::vector<std::string>& arguments, int output, int errors, unsigned mebibytes) const {
  std::vector<std::string> words(arguments);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{rlim_t{mebibytes} << 20U, rlim_t{mebibytes} << 20U};
    if (mebibytes > 0) setrlimit(RLIMIT_AS, &limit);
    dup2(output, STDOUT_FILENO);
    dup2(errors < 0 ? writable(path("stderr")) : errors, STDERR_FILENO);
    if (output == kClosed) close(STDOUT_FILENO);
    if (errors == kClosed) close(STDERR_FILENO);
    if (chdir(directory_.c_str()) == 0) execv(NIKA_PROGRAM, argv.data());
    _exit(127);
  }
  if (output != kClosed) close(output);
  if (errors >= 0 && errors != output && errors != kClosed) close(errors);
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, "", contents(path("stderr"))};
}

Said Program::run(const std::vector<std::string>& arguments) const {
  std::vector<std::string> words{NIKA_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  Said said = started(words, writable(path("stdout")));
  said.out = contents(path("stdout"));
  return said;
}

Said Program::run(const std::string& words) const { return run(split(words)); }

Said Program::run_as(const std::string& name, const std::string& words) const {
  Said said = started(split(name + " " + words), writable(path("stdout")));
  said.out = contents(path("stdout"));
  return said;
}

Said Program::run_on_full_disk(const std::string& words) const {
  return started(split(NIKA_PROGRAM " " + words), open("/dev/full", O_WRONLY));
}

Said Program::run_on_closed_pipe(const std::string& words) const {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return {};
  close(ends[0]);
  return started(split(NIKA_PROGRAM " " + words), ends[1]);
}

int Program::code_when_both_are_full(const std::string& words) const {
  const int full = open("/dev/full", O_WRONLY);
  return started(split(NIKA_PROGRAM " " + words), full, full, 0).exit_code;
}

int Program::code_when_both_are_closed(const std::string& words) const {
  return started(split(NIKA_PROGRAM " " + words), kClosed, kClosed, 0).exit_code;
}

Said Program::run_with_memory(unsigned mebibytes, const std::string& words) const {
  Said said = started(split(NIKA_PROGRAM " " + words), writable(path("stdout")), mebibytes);
  said.out = contents(path("stdout"));
  return said;
}

bool Program::is_killed(const std::string& words, const std::function<bool()>& is_time) const {
  std::vector<std::string> all = split(NIKA_PROGRAM " " + words);
  std::vector<char*> argv;
  for (std::string& word : all) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(writable(path("stdout")), STDOUT_FILENO);
    dup2(writable(path("stderr")), STDERR_FILENO);
    if (chdir(directory_.c_str()) == 0) execv(NIKA_PROGRAM, argv.data());
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (!is_time()) continue;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    break;
  }
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

Said Program::run_with_file_size(unsigned kibibytes, const std::string& words) const {
  // The limit is inherited; the tests themselves write nothing as large.
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit limit{rlim_t{kibibytes} << 10U, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &limit);
  Said said = run(words);
  setrlimit(RLIMIT_FSIZE, &before);
  return said;
}

void Program::write(const std::string& name, const std::string& bytes) const {
  std::ofstream(path(name), std::ios::binary) << bytes;
}

std::string Program::only_file_in(const std::string& directory) const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path(directory)))
    names.push_back(directory + "/" + entry.path().filename().string());
  return names.size() == 1 ? names[0] : "";
}

std::string Program::read(const std::string& name) const { return contents(path(name)); }

}  // namespace nika::tests
