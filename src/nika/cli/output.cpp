#include "nika/cli/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <initializer_list>

#include "nika/base/require.hpp"

namespace nika::cli {
namespace {

// Takes everything, so that whoever prints goes on to the verdict; the first error is kept for the end.
ssize_t write_or_remember(void* cookie, const char* bytes, std::size_t size) {
  int& first_error = *static_cast<int*>(cookie);
  for (std::size_t written = 0; written < size && first_error == 0;) {
    const ssize_t count = write(STDOUT_FILENO, bytes + written, size - written);
    if (count >= 0) {
      written += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      first_error = errno;
    }
  }
  return static_cast<ssize_t>(size);
}

// A stream that the caller closed must not become the number of a file that is opened later: what is printed would end
// up there. What takes its place cannot be written either.
void hold_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) < 0) (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace

CheckedOutput::CheckedOutput() : original_(stdout) {
  hold_closed_streams();
  // Otherwise the reader of a pipe that goes away would end the program, and what it has found would be lost.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::fflush(original_);
  checked_ =
      fopencookie(&first_error_, "w", {.read = nullptr, .write = write_or_remember, .seek = nullptr, .close = nullptr});
  NIKA_REQUIRE(checked_ != nullptr);
  if (isatty(STDOUT_FILENO) == 1) std::setvbuf(checked_, nullptr, _IOLBF, BUFSIZ);
  stdout = checked_;
}

CheckedOutput::~CheckedOutput() {
  stdout = original_;
  std::fclose(checked_);
}

int CheckedOutput::finish() {
  std::fflush(checked_);
  return first_error_;
}

}  // namespace nika::cli
