// The reading half of finding.hpp. Complaints go to the reading; what is returned after one is of no use.
#pragma once

#include "nika/store/finding.hpp"

namespace nika::store {

Finding finding_in(JsonReading& reading, const LocatedJson& root, const VocabularyOf& words_of);

}  // namespace nika::store
