// Who puts fault configurations together from what earlier ones have reached, generation after generation. What it
// proposes depends on the seed and on what it was told; it never runs anything.
#pragma once

#include "nika/scenarios/byzzfuzz/generator.hpp"
#include "nika/scenarios/guided/guide.hpp"

namespace nika::byzzfuzz {

class Guidance {
 public:
  // What a configuration reaches counts from the next generation on, so that one can be run in any order.
  static constexpr unsigned kGeneration = guided::Guide::kGeneration;

  virtual ~Guidance() = default;
  // Configuration `number` of the generation that is next to be learnt from; `scratch` is overwritten.
  virtual void draw(std::uint64_t number, Draw& draw, Draw& scratch) const = 0;
  // What the configurations `first`, `first` + 1, … of a generation have reached, in this order.
  virtual void learn(std::uint64_t first, std::span<const std::vector<guided::Reached>> reached) = 0;

  // Whether what was learnt can be told, so that another guide of the same generator goes on from there.
  virtual bool tells_lessons() const { return false; }
  // What was learnt since the last time, in words. Whoever takes up all of them in their order proposes the same.
  virtual std::vector<std::uint64_t> take_lesson() { return {}; }
  // False if they are no such words; it is of no use then.
  virtual bool take_up(std::span<const std::uint64_t>) { return false; }
};

}  // namespace nika::byzzfuzz
