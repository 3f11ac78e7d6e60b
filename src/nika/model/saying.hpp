// Messages that a liar makes up, from the numbers of a saying. Nobody forges: a kind of message in which anything is
// signed by others, bound by a hash or proved by what the message leaves out cannot be made up at all.
#pragma once

#include <optional>

#include "nika/model/scenario.hpp"
#include "nika/model/twist.hpp"

namespace nika {

// Whether a number says all that there is to say of such a field. Of values a liar has its own: they are numbered.
constexpr bool can_be_said(LeafType type) {
  return type == LeafType::kRound || type == LeafType::kHeight || type == LeafType::kValue || type == LeafType::kFlag ||
         type == LeafType::kNumber;
}
// Fields that are also one leaf together are said one by one.
inline bool can_be_said(const KindLeaves& leaves) {
  const auto is_together = [](const LeafName& leaf) { return leaf.type == LeafType::kTogether; };
  const auto fields = leaves.size() - static_cast<std::size_t>(std::ranges::count_if(leaves, is_together));
  return fields <= Saying::kMostFields &&
         std::ranges::all_of(leaves, [&](const LeafName& leaf) { return is_together(leaf) || can_be_said(leaf.type); });
}
// The largest number for a field of this type.
constexpr unsigned most_said(LeafType type) {
  switch (type) {
    case LeafType::kRound: return twists::kLastRound;
    case LeafType::kHeight: return kMaxHeight;
    case LeafType::kValue: return ValueId::kMaxIncarnation;
    case LeafType::kFlag: return 1;
    default: return 255;
  }
}

namespace sayings {

template <class Leaf>
void set(Leaf& leaf, unsigned number, const LiarView& liar) {
  if constexpr (std::same_as<Leaf, Round> || std::same_as<Leaf, Height>) {
    leaf = Leaf(number);
  } else if constexpr (std::same_as<Leaf, ValueId>) {
    leaf = ValueId(Round(1), liar.seat, number);
  } else if constexpr (std::is_integral_v<Leaf> || std::is_enum_v<Leaf>) {
    leaf = static_cast<Leaf>(number);
  }
}

template <class Message, std::size_t... Kinds>
bool make_blank(Message& message, std::size_t kind, std::index_sequence<Kinds...>) {
  return ((kind == Kinds && (message.template emplace<Kinds>(), true)) || ...);
}

template <class P>
inline constexpr bool kAnythingIsProved = requires(const typename P::Message& message) {
  P::is_forged(message, message);
} || requires(const typename P::Message& truth, typename P::Message& lie) { P::make_consistent(truth, lie); };

}  // namespace sayings

// Nothing if it cannot be made up.
template <class P>
std::optional<typename P::Message> message_of(const Saying& saying, const LiarView& liar) {
  if constexpr (!kLiesAreReviewed<P> || sayings::kAnythingIsProved<P>) {
    return std::nullopt;
  } else {
    using Message = typename P::Message;
    Message message{};
    if (!sayings::make_blank(message, saying.kind, std::make_index_sequence<std::variant_size_v<Message>>()))
      return std::nullopt;
    bool is_sound = true;
    std::visit(
        [&](auto& alternative) {
          if constexpr (requires { std::remove_cvref_t<decltype(alternative)>::kBoundFields; }) is_sound = false;
          std::size_t at = 0;
          for_each_leaf(alternative, [&](const leaves::Path&, auto& leaf, LeafType type) {
            if (type == LeafType::kTogether) return;
            is_sound =
                is_sound && at < saying.fields.size() && can_be_said(type) && saying.fields[at] <= most_said(type);
            if (is_sound) sayings::set(leaf, saying.fields[at], liar);
            ++at;
          });
        },
        message);
    return is_sound ? std::optional(message) : std::nullopt;
  }
}

}  // namespace nika
