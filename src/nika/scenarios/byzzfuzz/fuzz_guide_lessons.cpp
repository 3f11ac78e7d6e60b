// What a guide has learnt, in words: the genomes that it keeps with how often their states were seen, and the states.
#include <algorithm>

#include "nika/scenarios/byzzfuzz/fuzz_guide.hpp"

namespace nika::byzzfuzz {
namespace {

using Words = std::vector<std::uint64_t>;

template <class Genes>
void write(const Genes& genes, Words& words) {
  words.push_back(genes.size());
  for (const FaultGene& gene : genes) {
    words.push_back(gene.what);
    words.push_back(gene.whom);
    words.push_back(gene.round);
  }
}

// Reads words from first to last; after one that is not there or too large it gives zeros.
class Reader {
 public:
  explicit Reader(std::span<const std::uint64_t> words) : words_(words) {}

  std::uint64_t word() { return number(~std::uint64_t{0}); }
  std::uint64_t number(std::uint64_t most) {
    is_sound_ = is_sound_ && !words_.empty() && words_.front() <= most;
    if (!is_sound_) return 0;
    const std::uint64_t word = words_.front();
    words_ = words_.subspan(1);
    return word;
  }
  // Of things that take at least so many words each.
  std::uint64_t count(std::size_t words_of_each) { return number(words_.size() / words_of_each); }
  template <class Genes>
  void read(Genes& genes) {
    for (std::uint64_t left = count(3); left > 0; --left) {
      const std::uint64_t what = word();
      const std::uint64_t whom = word();
      const auto round = static_cast<std::uint16_t>(number(0xffff));
      is_sound_ = genes.push_back({what, whom, round}) && is_sound_;
      if (!is_sound_) return;
    }
  }
  bool is_sound() const { return is_sound_; }
  bool is_at_end() const { return is_sound_ && words_.empty(); }

 private:
  std::span<const std::uint64_t> words_;
  bool is_sound_ = true;
};

}  // namespace

Words FuzzGuide::take_lesson() {
  Words words;
  const auto is_new = [](const Kept& kept) { return kept.told == 0; };
  words.push_back(static_cast<std::uint64_t>(std::ranges::count_if(kept_, is_new)));
  for (const Kept& kept : kept_) {
    if (!is_new(kept)) continue;
    words.push_back(kept.genome.rotation);
    write(kept.genome.outages, words);
    write(kept.genome.lies, words);
    words.push_back(kept.disagreement);
  }
  words.push_back(untold_.size());
  for (const Known& known : untold_) {
    words.push_back(known.state);
    words.push_back(known.kept);
  }
  untold_.clear();
  const auto is_changed = [](const Kept& kept) { return kept.told != kept.seen; };
  words.push_back(static_cast<std::uint64_t>(std::ranges::count_if(kept_, is_changed)));
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (!is_changed(kept_[i])) continue;
    words.push_back(i);
    words.push_back(kept_[i].seen);
    kept_[i].told = kept_[i].seen;
  }
  return words;
}

bool FuzzGuide::take_up(std::span<const std::uint64_t> lesson) {
  Reader reader(lesson);
  for (std::uint64_t left = reader.count(4); left > 0 && reader.is_sound(); --left) {
    Kept kept;
    kept.genome.rotation = reader.word();
    reader.read(kept.genome.outages);
    reader.read(kept.genome.lies);
    kept.disagreement = static_cast<std::uint32_t>(reader.number(~0U));
    if (!reader.is_sound() || kept_.size() == kMaxKept || !is_possible(kept.genome)) return false;
    kept_.push_back(kept);
  }
  if (kept_.empty()) return reader.number(0) == 0 && reader.number(0) == 0 && reader.is_at_end();
  for (std::uint64_t left = reader.count(2); left > 0 && reader.is_sound(); --left) {
    const std::uint64_t state = reader.word();
    known_.emplace(state, static_cast<std::uint32_t>(reader.number(kept_.size() - 1)));
  }
  for (std::uint64_t left = reader.count(2); left > 0 && reader.is_sound(); --left) {
    Kept& kept = kept_[reader.number(kept_.size() - 1)];
    kept.told = kept.seen = static_cast<std::uint32_t>(reader.number(~0U));
  }
  weigh();
  return reader.is_at_end() && std::ranges::all_of(kept_, [](const Kept& kept) { return kept.seen > 0; });
}

bool FuzzGuide::is_possible(const FuzzGenome& genome) const {
  const Settings& settings = generator_.settings();
  const auto is_scheduled = [&](const FaultGene& gene) {
    return gene.round >= settings.first_round && gene.round <= settings.last_round;
  };
  return genome.outages.size() == settings.outages && genome.lies.size() == lie_count() &&
         std::ranges::all_of(genome.outages, is_scheduled) && std::ranges::all_of(genome.lies, is_scheduled);
}

}  // namespace nika::byzzfuzz
