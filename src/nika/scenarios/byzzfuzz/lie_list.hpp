// All that a liar can do to one kind of message, in the scope of the settings: a campaign draws from it, and a search
// goes through it.
#pragma once

#include "nika/base/random.hpp"
#include "nika/base/wide.hpp"
#include "nika/scenarios/byzzfuzz/settings.hpp"

namespace nika::byzzfuzz {

class LieList {
 public:
  LieList(const Settings& settings, std::uint8_t kind);

  // Omission, repetition, or one of the fields, each with the same probability; then one of the twists of the field,
  // then what it takes. Round, liar and receivers are for the caller to say. Nothing where the settings' sampling draws
  // no lie.
  std::optional<Lie> draw(Random& random) const;

  struct Weighted {
    Lie lie{};
    Wide weight = 0;  // so many of ways() draws
  };
  std::vector<Weighted> all() const;
  // A number of draws in which each lie has its share.
  Wide ways() const { return ways_; }

 private:
  struct Field {
    std::uint8_t number = 0;
    std::vector<TwistChoice> twists{};
  };

  std::uint64_t choices() const { return fields_.size() + whole_.size(); }

  const std::uint8_t kind_;
  const Sampling sampling_;
  std::vector<Field> fields_;
  std::vector<Twist> whole_{Twist::kOmit};  // what becomes of the whole message
  Wide ways_ = 1;
};

}  // namespace nika::byzzfuzz
