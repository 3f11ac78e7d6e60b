// 128-bit fingerprints of plain bytes. Collisions are possible in principle and ignored: at 10^9 worlds the chance of
// one is below 10^-20.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace nika {

struct Fingerprint {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  auto operator<=>(const Fingerprint&) const = default;
};

Fingerprint fingerprint_of(const void* bytes, std::size_t size);

}  // namespace nika

template <>
struct std::hash<nika::Fingerprint> {
  std::size_t operator()(const nika::Fingerprint& f) const noexcept { return f.low; }
};
