#include "nika/scenarios/byzzfuzz/lie_list.hpp"

#include <numeric>

namespace nika::byzzfuzz {

LieList::LieList(const Settings& settings, std::uint8_t kind) : kind_(kind), sampling_(settings.sampling) {
  const bool is_small = settings.scope == Scope::kSmall;
  const KindLeaves& leaves = settings.leaves[kind];
  std::uint64_t shares = 1;
  for (std::size_t number = 0; number < leaves.size(); ++number) {
    const LeafName& leaf = leaves[number];
    const Twists of_paper = is_small ? leaf.paper_small : leaf.paper_any;
    Field field{static_cast<std::uint8_t>(number), {}};
    for (const TwistChoice& choice : twists_of(leaf.type, is_small ? LieScope::kSmall : LieScope::kAny)) {
      if (settings.mutations == Mutations::kAll || of_paper.contains(choice.twist)) field.twists.push_back(choice);
    }
    if (field.twists.empty()) continue;
    for (const TwistChoice& choice : field.twists)
      shares = std::lcm(shares, std::uint64_t{field.twists.size()} * choice.arguments);
    fields_.push_back(std::move(field));
  }
  if (settings.mutations == Mutations::kAll) whole_.push_back(Twist::kRepeat);
  ways_ = Wide{shares} * choices();
}

std::optional<Lie> LieList::draw(Random& random) const {
  Lie lie;
  lie.kind = kind_;
  const std::uint64_t choice = random.below(choices());
  if (sampling_ == Sampling::kArtifact && choice != 0 && random.below(2) == 0) return std::nullopt;
  if (choice >= fields_.size()) {
    lie.twist = whole_[choice - fields_.size()];
    return lie;
  }
  const Field& field = fields_[choice];
  lie.field = field.number;
  const TwistChoice& twist = field.twists[random.below(field.twists.size())];
  lie.twist = twist.twist;
  lie.argument = static_cast<std::uint16_t>(random.below(twist.arguments));
  return lie;
}

std::vector<LieList::Weighted> LieList::all() const {
  const Wide of_each = ways_ / choices();
  Lie lie;
  lie.kind = kind_;
  std::vector<Weighted> result;
  for (const Twist twist : whole_) {
    lie.twist = twist;
    result.push_back({lie, of_each});
  }
  for (const Field& field : fields_) {
    lie.field = field.number;
    for (const TwistChoice& choice : field.twists) {
      lie.twist = choice.twist;
      for (std::uint32_t argument = 0; argument < choice.arguments; ++argument) {
        lie.argument = static_cast<std::uint16_t>(argument);
        result.push_back({lie, of_each / (field.twists.size() * Wide{choice.arguments})});
      }
    }
  }
  return result;
}

}  // namespace nika::byzzfuzz
