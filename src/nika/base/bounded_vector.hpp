// A vector with its storage inside and a fixed capacity: trivially copyable when its elements are, never allocates.
// push_back reports a full vector instead of growing; the caller must turn that into an Unknown verdict, never drop it.
// Unused slots are always value-initialised, so that equal vectors are equal bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "nika/base/require.hpp"

namespace nika {

template <class T, std::size_t Capacity>
class BoundedVector {
  static_assert(Capacity < 65536);
  using Size = std::conditional_t<(Capacity < 256 && alignof(T) == 1), std::uint8_t, std::uint16_t>;

 public:
  [[nodiscard]] constexpr bool push_back(const T& item) {
    if (size_ == Capacity) return false;
    items_[size_++] = item;
    return true;
  }
  constexpr void clear() { resize_down(0); }
  constexpr void resize_down(std::size_t size) {
    for (std::size_t i = size; i < size_; ++i) items_[i] = T{};
    size_ = static_cast<Size>(size);
  }
  constexpr void erase_at(std::size_t position) {
    NIKA_REQUIRE(position < size_);
    std::copy(begin() + position + 1, end(), begin() + position);
    items_[--size_] = T{};
  }

  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  static constexpr std::size_t capacity() { return Capacity; }
  constexpr T& operator[](std::size_t i) { return items_[i]; }
  constexpr const T& operator[](std::size_t i) const { return items_[i]; }
  constexpr T* begin() { return items_.data(); }
  constexpr T* end() { return items_.data() + size_; }
  constexpr const T* begin() const { return items_.data(); }
  constexpr const T* end() const { return items_.data() + size_; }
  constexpr T& back() { return items_[size_ - 1U]; }
  constexpr const T& back() const { return items_[size_ - 1U]; }

  friend constexpr bool operator==(const BoundedVector& a, const BoundedVector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::array<T, Capacity> items_{};
  Size size_ = 0;
};

}  // namespace nika
