// The messages of the agreement on a common subset: those of its parts, each with the instance that it belongs to. All
// are their sender's own words, the instance too: who says it of another one says another thing.
#pragma once

#include "nika/protocols/bracha/bracha.hpp"
#include "nika/protocols/mmr/mmr.hpp"

namespace nika::honeybadger {

// A message of a part, of the instance that this node's value is decided by.
template <class Part>
struct Of {
  static constexpr std::string_view kName = Part::kName;
  static constexpr bool kHasNoRound = requires { requires Part::kHasNoRound; };
  Identity instance{};
  Part message{};

  static constexpr auto fields() {
    return std::tuple{field("instance", &Of::instance), field("message", &Of::message)};
  }
};

using Message = std::variant<Of<bracha::Initial>, Of<bracha::Echo>, Of<bracha::Ready>, Of<mmr::BVal>, Of<mmr::Aux>,
                             Of<mmr::Conf>, Of<mmr::Decided>, Of<mmr::Ask>>;

}  // namespace nika::honeybadger
