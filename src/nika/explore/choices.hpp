// The choices that a search makes at each round: a configuration of the coming round (its leaders are fixed already)
// and the leaders of the round after it, which replicas ask for one round ahead. Counts what each choice leaves open.
#pragma once

#include <vector>

#include "nika/base/result.hpp"
#include "nika/explore/level.hpp"
#include "nika/explore/renaming.hpp"
#include "nika/explore/search.hpp"
#include "nika/model/links.hpp"

namespace nika {

Result<void> check_explorable(const twins::Space& space, const SearchOptions& options);

struct Choice {
  std::uint32_t configuration = 0;
  std::uint32_t weight = 1;  // how many configurations it stands for in a world with symmetry of its own
};

class Choices {
 public:
  Choices(const twins::Space& space, bool renames);

  const Renamings& renamings() const { return renamings_; }
  const std::vector<IdentitySet>& leader_sets() const { return leader_sets_; }
  const Links& links(const Choice& choice) const {
    return links_[space_.configurations()[choice.configuration].partition];
  }
  const Links& full() const { return full_; }
  std::size_t order_number(const Choice& choice) const { return space_.configurations()[choice.configuration].order; }
  const Order& order(const Choice& choice) const { return space_.orders()[order_number(choice)]; }
  IdentitySet leaders(std::uint32_t configuration) const { return space_.configurations()[configuration].leaders; }
  const twins::Healings& healings() const { return space_.healings(); }
  // Who may lead the first healing round, which replicas ask for in the last scheduled one: rotations by their first
  // leader, and where a renaming takes each.
  const std::vector<std::vector<std::size_t>>& rotations_by_first() const { return rotations_by_first_; }
  std::uint16_t renamed_first(std::size_t renaming, std::uint16_t first) const;

  // Configurations with those leaders; `symmetry` has bit i if the world stays the same when the i-th and the next
  // interchangeable seat change places.
  const std::vector<Choice>& with_leaders(std::uint16_t leaders, std::uint32_t symmetry) const {
    return choices_[symmetry][leaders];
  }
  bool allows(const Node& node, unsigned done, std::uint32_t configuration) const;

  // Scenarios that share the first `done` rounds and have these leaders in the next one.
  Wide completions(const Node& node, unsigned done, std::uint16_t next_leaders) const;

 private:
  std::vector<Choice> orbits(std::uint16_t leaders, std::uint32_t symmetry) const;
  bool preserves(std::size_t renaming, std::uint32_t symmetry) const;
  void fill_rotations();

  const twins::Space& space_;
  Renamings renamings_;
  std::vector<IdentitySet> leader_sets_;
  std::vector<Links> links_;
  Links full_;
  std::vector<Identity> first_healers_;
  std::vector<std::vector<std::size_t>> rotations_by_first_;
  std::vector<std::vector<std::vector<Choice>>> choices_;  // by symmetry, then by leaders
};

}  // namespace nika
