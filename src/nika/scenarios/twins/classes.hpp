// Classes of scenarios that differ only by a renaming applied to all rounds together. Each class is represented by its
// smallest sequence of configurations, and only representatives are ever built: a prefix keeps the renamings that leave
// it as it is, and a configuration may follow only if none of those makes it smaller. Counts never enumerate.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "nika/scenarios/twins/range.hpp"
#include "nika/scenarios/twins/symmetry_group.hpp"

namespace nika::twins {

class Classes {
 public:
  // What may be held of the prefixes' stabilisers, in continuations of eight bytes.
  static constexpr std::size_t kMaxContinuations = std::size_t{1} << 27U;

  // An error if the order is sampled or step 3 selects (such a space is not closed under renaming), or the group too
  // large.
  static Result<Classes> make(const Space& space, Symmetry symmetry = Symmetry::kNames);

  const SymmetryGroup& group() const { return group_; }
  unsigned rounds() const { return rounds_; }
  const mpz_class& count() const { return count_; }
  // The same; nothing if the space itself has 2^128 scenarios or more. What follows needs it.
  std::optional<Wide> size() const;

  // The representatives are numbered in their lexicographic order.
  void unrank(Wide class_index, std::span<std::uint32_t> representative) const;
  std::optional<Wide> rank(std::span<const std::uint32_t> representative) const;
  bool is_representative(std::span<const std::uint32_t> sequence) const { return walk(sequence).has_value(); }
  // How many scenarios a representative stands for, itself among them.
  std::uint32_t weight(std::span<const std::uint32_t> representative) const;
  // Writes the representative of the class of any sequence.
  void represent(std::span<const std::uint32_t> sequence, std::span<std::uint32_t> representative) const;

  // Calls visit(representative, weight) for each class with an index in the range, in order.
  template <class Visit>
  void for_each(const Range& range, Visit&& visit) const;

  class Cursor;

 private:
  struct Continuation {
    std::uint32_t configuration;
    std::uint32_t stabiliser;  // of the prefix that ends with this configuration
  };
  // A subgroup that leaves some prefix as it is.
  struct Stabiliser {
    std::vector<std::uint32_t> elements;
    std::vector<Continuation> continuations;          // the configurations that may follow, ascending
    std::map<std::uint32_t, std::uint32_t> children;  // how many of the continuations lead to which stabiliser
    unsigned depth = 0;                               // the fewest rounds after which it occurs
    std::uint32_t weight = 1;                         // scenarios in the class of a whole sequence that ends here
    std::vector<mpz_class> counts;                    // representatives that continue it, by rounds left
    std::vector<Wide> wide_counts;                    // the same where they can be indexed
  };

  Classes() = default;
  Result<void> expand_all();
  void expand(std::uint32_t id);
  std::uint32_t intern(std::vector<std::uint32_t> elements, unsigned depth);
  void count_all();
  bool taken(std::span<const std::uint32_t> prefix, const Continuation& continuation, std::uint32_t id) const;
  std::optional<std::uint32_t> walk(std::span<const std::uint32_t> sequence) const;

  SymmetryGroup group_;
  bool distinct_ = false;  // no configuration twice
  bool indexed_ = true;
  unsigned rounds_ = 0;
  unsigned depth_ = 0;  // the rounds that are chosen: one if the assignment is static
  mpz_class count_;
  std::vector<Stabiliser> stabilisers_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> ids_;  // used while they are made
};

// Walks through the representatives from one class index on.
class Classes::Cursor {
 public:
  Cursor(const Classes& classes, Wide class_index);

  std::span<const std::uint32_t> representative() const { return sequence_; }
  std::uint32_t weight() const { return weight_; }
  // False after the last one.
  bool advance();

 private:
  struct Level {
    std::uint32_t stabiliser = 0;
    std::size_t position = 0;
  };
  bool settle(std::size_t level);
  void finish();

  const Classes* classes_;
  std::vector<std::uint32_t> sequence_;
  std::vector<Level> levels_;
  std::uint32_t weight_ = 0;
};

template <class Visit>
void Classes::for_each(const Range& range, Visit&& visit) const {
  if (range.begin >= range.end) return;
  Cursor cursor(*this, range.begin);
  for (Wide left = range.size(); left > 0; --left) {
    visit(cursor.representative(), cursor.weight());
    if (left > 1) cursor.advance();
  }
}

}  // namespace nika::twins
