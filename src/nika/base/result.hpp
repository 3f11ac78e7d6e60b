// What a function returns when its input may be bad: a value, or one line that says what was wrong and what was
// expected.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace nika {

struct Error {
  std::string message;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> bad_input(std::string message) { return tl::unexpected<Error>(Error{std::move(message)}); }

}  // namespace nika
