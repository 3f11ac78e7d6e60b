#include "nika/store/trace_data.hpp"

#include <fmt/format.h>

#include <array>

namespace nika::store {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// The reading half of ByteText; the caller has looked at the size.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
  std::uint32_t take(unsigned count) {
    std::uint32_t number = 0;
    for (unsigned i = 0; i < count; ++i) {
      number |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes_[at_++])) << (8 * i);
    }
    return number;
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

ValueId value_of(std::uint32_t packed) {
  ValueId value;
  value.packed = static_cast<std::uint16_t>(packed);
  return value;
}

Event event_in(ByteReader& in) {
  Event event;
  event.kind = static_cast<EventKind>(in.take(1));
  event.seat = static_cast<Seat>(in.take(1));
  event.peer = static_cast<Seat>(in.take(1));
  event.message_kind = static_cast<std::uint8_t>(in.take(1));
  event.message = in.take(4);
  event.time = in.take(4);
  event.round = Round(in.take(1));
  event.height = Height(in.take(1));
  event.value = value_of(in.take(2));
  event.other = value_of(in.take(2));
  return event;
}

bool is_known(EventKind kind, std::size_t own_notes) {
  const auto number = static_cast<unsigned>(kind);
  const auto first = static_cast<unsigned>(EventKind::kFirstOwn);
  return number >= first ? number - first < own_notes : name_of(kind) != "?";
}

}  // namespace

std::string bytes_of(std::span<const Event> events) {
  ByteText text;
  for (const Event& event : events) {
    text.add(static_cast<unsigned>(event.kind), 1);
    text.add(index_of(event.seat), 1);
    text.add(index_of(event.peer), 1);
    text.add(event.message_kind, 1);
    text.add(event.message, 4);
    text.add(event.time, 4);
    text.add(event.round.number, 1);
    text.add(event.height.number, 1);
    text.add(event.value.packed, 2);
    text.add(event.other.packed, 2);
  }
  return text.bytes();
}

Result<Trace> events_in(std::string_view bytes, std::size_t own_notes) {
  if (bytes.size() % kEventBytes != 0) {
    return bad_input(fmt::format("read {} bytes, expected {} for each event", bytes.size(), kEventBytes));
  }
  Trace trace;
  trace.reserve(bytes.size() / kEventBytes);
  ByteReader in(bytes);
  while (trace.size() < bytes.size() / kEventBytes) {
    trace.push_back(event_in(in));
    const Event& event = trace.back();
    if (!is_known(event.kind, own_notes)) {
      return bad_input(
          fmt::format("read an event of kind {}, expected one that there is", static_cast<unsigned>(event.kind)));
    }
    if (index_of(event.seat) >= kMaxSeats || index_of(event.peer) >= kMaxSeats) {
      return bad_input(fmt::format("read an event of seat {} and seat {}, expected seats below {}",
                                   index_of(event.seat), index_of(event.peer), kMaxSeats));
    }
  }
  return trace;
}

std::string base64_of(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8U | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (unsigned k = 0; k < 4; ++k) text += k <= count ? kDigits[bits >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

Result<std::string> bytes_in_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i + 4 <= text.size(); i += 4) {
    std::uint32_t bits = 0;
    for (unsigned k = 0; k < 4; ++k) {
      const std::size_t digit = kDigits.find(text[i + k]);
      bits = bits << 6U | static_cast<std::uint32_t>(digit == std::string_view::npos ? 0 : digit);
    }
    for (unsigned k = 0; k < 3; ++k) bytes += static_cast<char>(bits >> (16 - 8 * k) & 0xffU);
  }
  for (std::size_t padding = 0; padding < 2 && text.ends_with(padding == 0 ? "=" : "=="); ++padding) {
    if (!bytes.empty()) bytes.pop_back();
  }
  if (base64_of(bytes) != text) return bad_input("read another text, expected base64");
  return bytes;
}

Fingerprint fingerprint_of(std::span<const Event> events) {
  ByteText text;
  text.add("nika trace");
  text.add(kTraceVersion, 4);
  text.add(bytes_of(events));
  return nika::fingerprint_of(text.bytes().data(), text.bytes().size());
}

std::string text_of(const Fingerprint& fingerprint) {
  return fmt::format("{:016x}{:016x}", fingerprint.high, fingerprint.low);
}

}  // namespace nika::store
