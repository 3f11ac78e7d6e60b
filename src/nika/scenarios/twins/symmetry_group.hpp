// The renamings of a cluster that map the configurations of a space onto themselves: honest nodes among each other, the
// seats of a compromised identity, compromised identities among each other. Every element is held, so groups are
// bounded.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "nika/base/result.hpp"
#include "nika/scenarios/twins/space.hpp"

namespace nika::twins {

struct Renaming {
  std::array<Seat, kMaxSeats> seat{};
  std::array<Identity, kMaxSeats> identity{};
};

enum class Symmetry : std::uint8_t {
  // All of them. An order of delivery that is not itself a choice (fifo, reversed, that of the healing rounds) and the
  // turn of the leaders while the network heals stay as they are, so two scenarios of a class may differ in how ties
  // between seats are broken.
  kNames,
  // Only those that leave alone every seat whose name breaks a tie: the scenarios of a class run alike.
  kExact,
};

class SymmetryGroup {
 public:
  // Elements times configurations: what is held takes four bytes for each.
  static constexpr std::uint64_t kMaxImages = std::uint64_t{1} << 27U;

  static Result<SymmetryGroup> make(const Space& space, Symmetry symmetry);

  std::uint32_t order() const { return static_cast<std::uint32_t>(elements_.size()); }
  std::uint32_t configuration_count() const { return configuration_count_; }
  const std::vector<Renaming>& elements() const { return elements_; }
  // What an element makes of each configuration.
  std::span<const std::uint32_t> images(std::uint32_t element) const {
    return std::span(images_).subspan(std::size_t{element} * configuration_count_, configuration_count_);
  }

 private:
  std::uint32_t configuration_count_ = 0;
  std::vector<Renaming> elements_;
  std::vector<std::uint32_t> images_;
};

}  // namespace nika::twins
