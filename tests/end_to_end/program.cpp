#include "end_to_end/program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace nika::tests {
namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void redirect(const std::filesystem::path& path, int descriptor) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(file, descriptor);
}

}  // namespace

nlohmann::json Said::json() const { return nlohmann::json::parse(out); }

Program::Program() {
  std::string pattern = (std::filesystem::temp_directory_path() / "nika-test-XXXXXX").string();
  directory_ = mkdtemp(pattern.data());
}

Program::~Program() { std::filesystem::remove_all(directory_); }

Said Program::run(const std::vector<std::string>& arguments) const {
  std::vector<std::string> words{NIKA_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    redirect(path("stdout"), STDOUT_FILENO);
    redirect(path("stderr"), STDERR_FILENO);
    if (chdir(directory_.c_str()) == 0) execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(path("stdout")), contents(path("stderr"))};
}

Said Program::run(const std::string& words) const {
  std::vector<std::string> arguments;
  std::istringstream stream(words);
  for (std::string word; stream >> word;) arguments.push_back(word);
  return run(arguments);
}

void Program::write(const std::string& name, const std::string& bytes) const {
  std::ofstream(path(name), std::ios::binary) << bytes;
}

std::string Program::read(const std::string& name) const { return contents(path(name)); }

}  // namespace nika::tests
