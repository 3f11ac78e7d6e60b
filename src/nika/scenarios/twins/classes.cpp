#include "nika/scenarios/twins/classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "nika/base/require.hpp"

namespace nika::twins {

Result<Classes> Classes::make(const Space& space, Symmetry symmetry) {
  const Settings& settings = space.settings();
  if (settings.order == OrderChoice::kSampled) {
    return bad_input(
        "symmetry and a sampled order exclude each other: the order belongs to the index, not to the class");
  }
  if (settings.step3.kind != Selection::Kind::kAll) {
    return bad_input("symmetry and a selection in step 3 exclude each other: a class may be partly selected");
  }
  if (space.healings().size() > 1) {
    return bad_input("symmetry takes one way to heal: it renames the leaders of the healing rounds, too");
  }
  auto group = SymmetryGroup::make(space, symmetry);
  if (!group) return tl::unexpected(group.error());

  Classes classes;
  classes.group_ = *std::move(group);
  classes.distinct_ = settings.assignment == Assignment::kNoReplacement;
  classes.indexed_ = space.size().has_value();
  classes.rounds_ = settings.rounds;
  classes.depth_ = settings.assignment == Assignment::kStatic ? 1 : settings.rounds;
  if (auto expanded = classes.expand_all(); !expanded) return tl::unexpected(expanded.error());
  classes.count_all();
  return classes;
}

std::uint32_t Classes::intern(std::vector<std::uint32_t> elements, unsigned depth) {
  const auto next = static_cast<std::uint32_t>(stabilisers_.size());
  const auto [place, is_new] = ids_.emplace(std::move(elements), next);
  if (is_new) {
    Stabiliser& added = stabilisers_.emplace_back();
    added.elements = place->first;
    added.depth = depth;
    added.weight = group_.order() / static_cast<std::uint32_t>(added.elements.size());
  }
  return place->second;
}

// One continuation for each orbit of the stabiliser on the configurations: the smallest of the orbit.
void Classes::expand(std::uint32_t id) {
  const std::vector<std::uint32_t> elements = stabilisers_[id].elements;
  const unsigned depth = stabilisers_[id].depth;
  std::vector<bool> reached(group_.configuration_count());
  for (std::uint32_t c = 0; c < group_.configuration_count(); ++c) {
    if (reached[c]) continue;
    std::vector<std::uint32_t> fixing;
    for (const std::uint32_t element : elements) {
      const std::uint32_t image = group_.images(element)[c];
      reached[image] = true;
      if (image == c) fixing.push_back(element);
    }
    const std::uint32_t child = fixing.size() == elements.size() ? id : intern(std::move(fixing), depth + 1);
    stabilisers_[id].continuations.push_back({c, child});
    ++stabilisers_[id].children[child];
  }
}

// Stabilisers are met in the order of their depth, so the depth that each is given first is its least.
Result<void> Classes::expand_all() {
  std::vector<std::uint32_t> everything(group_.order());
  std::iota(everything.begin(), everything.end(), 0U);
  intern(std::move(everything), 0);
  std::size_t continuations = 0;
  for (std::uint32_t id = 0; id < stabilisers_.size(); ++id) {
    if (stabilisers_[id].depth >= depth_) continue;
    expand(id);
    continuations += stabilisers_[id].continuations.size();
    if (continuations > kMaxContinuations) {
      return bad_input(fmt::format("the prefixes of {} configurations under {} renamings are too many for symmetry",
                                   group_.configuration_count(), group_.order()));
    }
  }
  ids_.clear();
  return {};
}

void Classes::count_all() {
  for (Stabiliser& stabiliser : stabilisers_) stabiliser.counts.assign(1, 1);
  for (unsigned left = 1; left <= depth_; ++left) {
    for (std::uint32_t id = 0; id < stabilisers_.size(); ++id) {
      Stabiliser& stabiliser = stabilisers_[id];
      if (stabiliser.depth + left > depth_) continue;
      mpz_class sum = 0;
      for (const auto& [child, continuations] : stabiliser.children) {
        // Earlier configurations are fixed by the whole stabiliser, so they are among the continuations that keep it.
        const unsigned used = distinct_ && child == id ? depth_ - left : 0;
        sum += (continuations - mpz_class(used)) * stabilisers_[child].counts[left - 1];
      }
      stabiliser.counts.push_back(std::move(sum));
    }
  }
  count_ = stabilisers_[0].counts[depth_];
  if (!indexed_) return;
  for (Stabiliser& stabiliser : stabilisers_) {
    // Of a stabiliser whose numbers of rounds left cannot occur, the counts are never read and may be of any size.
    for (const mpz_class& count : stabiliser.counts) stabiliser.wide_counts.push_back(to_wide(count).value_or(0));
  }
}

std::optional<Wide> Classes::size() const {
  if (!indexed_) return std::nullopt;
  return stabilisers_[0].wide_counts[depth_];
}

// Without replacement a configuration that was used before stays a continuation of the stabiliser, but may not be
// taken.
bool Classes::taken(std::span<const std::uint32_t> prefix, const Continuation& continuation, std::uint32_t id) const {
  return distinct_ && continuation.stabiliser == id &&
         std::ranges::find(prefix, continuation.configuration) != prefix.end();
}

void Classes::unrank(Wide class_index, std::span<std::uint32_t> representative) const {
  const Cursor cursor(*this, class_index);
  std::ranges::copy(cursor.representative(), representative.begin());
}

std::optional<std::uint32_t> Classes::walk(std::span<const std::uint32_t> sequence) const {
  NIKA_REQUIRE(sequence.size() == rounds_);
  std::uint32_t id = 0;
  for (unsigned r = 0; r < depth_; ++r) {
    const auto& continuations = stabilisers_[id].continuations;
    const auto found = std::ranges::lower_bound(continuations, sequence[r], {}, &Continuation::configuration);
    if (found == continuations.end() || found->configuration != sequence[r]) return std::nullopt;
    if (taken(sequence.first(r), *found, id)) return std::nullopt;
    id = found->stabiliser;
  }
  for (unsigned r = depth_; r < rounds_; ++r) {
    if (sequence[r] != sequence[0]) return std::nullopt;
  }
  return id;
}

std::uint32_t Classes::weight(std::span<const std::uint32_t> representative) const {
  const auto end = walk(representative);
  NIKA_REQUIRE(end.has_value());
  return stabilisers_[*end].weight;
}

std::optional<Wide> Classes::rank(std::span<const std::uint32_t> representative) const {
  NIKA_REQUIRE(indexed_);
  if (!is_representative(representative)) return std::nullopt;
  Wide index = 0;
  std::uint32_t id = 0;
  for (unsigned r = 0; r < depth_; ++r) {
    for (const Continuation& continuation : stabilisers_[id].continuations) {
      if (continuation.configuration == representative[r]) {
        id = continuation.stabiliser;
        break;
      }
      if (taken(representative.first(r), continuation, id)) continue;
      index += stabilisers_[continuation.stabiliser].wide_counts[depth_ - r - 1];
    }
  }
  return index;
}

void Classes::represent(std::span<const std::uint32_t> sequence, std::span<std::uint32_t> representative) const {
  NIKA_REQUIRE(sequence.size() == rounds_ && representative.size() == rounds_);
  std::ranges::copy(sequence, representative.begin());
  for (std::uint32_t element = 0; element < group_.order(); ++element) {
    const auto images = group_.images(element);
    std::size_t r = 0;
    while (r < rounds_ && images[sequence[r]] == representative[r]) ++r;
    if (r == rounds_ || images[sequence[r]] > representative[r]) continue;
    for (; r < rounds_; ++r) representative[r] = images[sequence[r]];
  }
}

Classes::Cursor::Cursor(const Classes& classes, Wide class_index)
    : classes_(&classes), sequence_(classes.rounds_), levels_(classes.depth_) {
  NIKA_REQUIRE(classes.indexed_ && class_index < *classes.size());
  std::uint32_t id = 0;
  for (std::size_t r = 0; r < levels_.size(); ++r) {
    const std::size_t left = levels_.size() - r - 1;
    const Stabiliser& stabiliser = classes.stabilisers_[id];
    std::size_t position = 0;
    for (;; ++position) {
      const Continuation& continuation = stabiliser.continuations[position];
      if (classes.taken(std::span(sequence_).first(r), continuation, id)) continue;
      const Wide below = classes.stabilisers_[continuation.stabiliser].wide_counts[left];
      if (class_index < below) break;
      class_index -= below;
    }
    levels_[r] = {id, position};
    sequence_[r] = stabiliser.continuations[position].configuration;
    id = stabiliser.continuations[position].stabiliser;
  }
  finish();
}

// Takes the first free continuation of a level from its position on.
bool Classes::Cursor::settle(std::size_t level) {
  Level& here = levels_[level];
  const auto& continuations = classes_->stabilisers_[here.stabiliser].continuations;
  const auto prefix = std::span<const std::uint32_t>(sequence_).first(level);
  while (here.position < continuations.size() &&
         classes_->taken(prefix, continuations[here.position], here.stabiliser)) {
    ++here.position;
  }
  if (here.position == continuations.size()) return false;
  sequence_[level] = continuations[here.position].configuration;
  return true;
}

void Classes::Cursor::finish() {
  const Level& last = levels_.back();
  const Continuation& continuation = classes_->stabilisers_[last.stabiliser].continuations[last.position];
  weight_ = classes_->stabilisers_[continuation.stabiliser].weight;
  for (std::size_t r = levels_.size(); r < sequence_.size(); ++r) sequence_[r] = sequence_[0];
}

bool Classes::Cursor::advance() {
  std::size_t level = levels_.size();
  do {
    if (level == 0) return false;
    ++levels_[--level].position;
  } while (!settle(level));
  for (; level + 1 < levels_.size(); ++level) {
    const Level& here = levels_[level];
    levels_[level + 1] = {classes_->stabilisers_[here.stabiliser].continuations[here.position].stabiliser, 0};
    // Something is always free: the configurations not used yet are a union of orbits.
    NIKA_REQUIRE(settle(level + 1));
  }
  finish();
  return true;
}

}  // namespace nika::twins
