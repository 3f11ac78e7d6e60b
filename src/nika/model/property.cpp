#include "nika/model/property.hpp"

#include "nika/base/require.hpp"

namespace nika {

std::string title_of(const Property& property) {
  std::string title(property.name);
  if (property.limit != property.usual_limit) title += ":" + std::to_string(property.limit);
  return title;
}

Monitors::Monitors(const Properties& properties) : properties_(properties) {
  for (std::size_t i = 0; i < properties.size(); ++i) {
    offsets_[i] = words_;
    words_ += (properties[i]->bytes + 7) / 8;
    listens_ = listens_ || properties[i]->committed != nullptr;
    watch_ = watch_ || properties[i]->passed != nullptr;
    asks_for_rest_ = asks_for_rest_ || properties[i]->asks_for_rest;
  }
  NIKA_REQUIRE(words_ <= MonitorStates{}.size());
}

void Monitors::judge(const MonitorStates& states, const Sight& sight, Outcome& outcome) const {
  outcome.judgements.resize_down(0);
  for (std::size_t i = 0; i < properties_.size(); ++i) {
    Judgement judgement = properties_[i]->judge(states.data() + offsets_[i], sight, properties_[i]->limit);
    if (sight.overflowed && judgement.verdict != Verdict::kViolated)
      judgement = Judgement::unknown(Unjudged::kOverflow);
    judgement.property = properties_[i];
    (void)outcome.judgements.push_back(judgement);
  }
}

}  // namespace nika
