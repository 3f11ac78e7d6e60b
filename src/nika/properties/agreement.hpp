// Agreement: no two honest seats commit different values at one height.
#pragma once

#include "nika/model/property.hpp"

namespace nika {

struct AgreementMonitor {
  bool is_settled(const Sight& sight) const { return sight.commits.conflict().found; }
  // A conflict with more liars than the protocol was made for is still told: whoever asks for such a cluster wants to
  // see it. Without one nothing is shown by it, nor by a conflict after honest nodes lost their memory.
  Judgement judge(const Sight& sight) const;
};

inline constexpr Property kAgreement =
    property_of<AgreementMonitor>("agreement", "no two honest nodes commit different values at one height");

}  // namespace nika
