#include "nika/base/fingerprint.hpp"

#include <xxhash.h>

namespace nika {

Fingerprint fingerprint_of(const void* bytes, std::size_t size) {
  const XXH128_hash_t hash = XXH3_128bits(bytes, size);
  return {hash.low64, hash.high64};
}

}  // namespace nika
