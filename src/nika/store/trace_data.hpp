// Traces as bytes: a fixed layout, the same on every machine and compiler, for files and for fingerprints.
// docs/findings.md describes it; a change of it is a new version.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "nika/base/fingerprint.hpp"
#include "nika/base/result.hpp"
#include "nika/model/event.hpp"

namespace nika::store {

inline constexpr std::uint32_t kTraceVersion = 1;
inline constexpr std::size_t kEventBytes = 18;

// Bytes in little endian order, whatever the machine.
class ByteText {
 public:
  void add(std::uint64_t number, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) bytes_ += static_cast<char>(number >> (8 * i) & 0xffU);
  }
  // With its length before it, so that no two lists of texts have the same bytes.
  void add(std::string_view text) {
    add(text.size(), 8);
    bytes_ += text;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// kEventBytes for each event, one behind the other.
std::string bytes_of(std::span<const Event> events);
// Whatever the bytes, events or what is wrong with them. `own_notes` is how many kinds of notes the protocol has.
Result<Trace> events_in(std::string_view bytes, std::size_t own_notes);

// RFC 4648, with padding. The reader takes only what the writer writes.
std::string base64_of(std::string_view bytes);
Result<std::string> bytes_in_base64(std::string_view text);

// Of the data of the events and the version of their layout; what any of them is called does not matter.
Fingerprint fingerprint_of(std::span<const Event> events);
// 32 hexadecimal digits.
std::string text_of(const Fingerprint& fingerprint);

}  // namespace nika::store
