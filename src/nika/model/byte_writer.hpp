// Writes values as bytes that are equal exactly when the values are. Described values are written field by field, so
// padding and the unused tail of a variant never matter.
#pragma once

#include <cstring>
#include <span>
#include <type_traits>
#include <variant>

#include "nika/base/fingerprint.hpp"
#include "nika/model/fields.hpp"

namespace nika {

class ByteWriter {
 public:
  static constexpr std::size_t kCapacity = 16384;

  void clear() { size_ = 0; }
  std::span<const std::byte> bytes() const { return {bytes_.data(), size_}; }
  Fingerprint fingerprint() const { return fingerprint_of(bytes_.data(), size_); }

  void write_raw(const void* bytes, std::size_t count) {
    NIKA_REQUIRE(size_ + count <= kCapacity);
    std::memcpy(bytes_.data() + size_, bytes, count);
    size_ += count;
  }
  template <class T>
    requires std::has_unique_object_representations_v<T>
  void write(const T& value) {
    write_raw(&value, sizeof value);
  }
  template <class T>
    requires(Described<T> && !std::has_unique_object_representations_v<T>)
  void write(const T& object) {
    for_each_field(object, [&](std::string_view, const auto& member) { write(member); });
  }
  template <class T, std::size_t Capacity>
    requires(!std::has_unique_object_representations_v<BoundedVector<T, Capacity>>)
  void write(const BoundedVector<T, Capacity>& items) {
    write(static_cast<std::uint32_t>(items.size()));
    for (const T& item : items) write(item);
  }
  template <class... Alternatives>
  void write(const std::variant<Alternatives...>& value) {
    write(static_cast<std::uint32_t>(value.index()));
    std::visit([&](const auto& alternative) { write(alternative); }, value);
  }

 private:
  std::array<std::byte, kCapacity> bytes_{};
  std::size_t size_ = 0;
};

}  // namespace nika
