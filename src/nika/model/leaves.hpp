// The fields of a message that a lie can be about: its description, flattened. What is signed by others is one leaf, so
// that no lie can put a certificate together from parts; where it has a member make_up(), a liar can make one up:
//   static constexpr bool kIsAtomic = true;                       of a struct, or of a whole message
//   static constexpr std::array<std::string_view, N> kAtomicFields{"…"};   of a message: fields that are certificates
//   static constexpr std::array<std::string_view, N> kBoundFields{"…"};    fields of which nobody can lie
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "nika/base/require.hpp"
#include "nika/model/fields.hpp"
#include "nika/model/lie.hpp"

namespace nika {

template <class T>
inline constexpr bool kIsAtomic = requires { requires T::kIsAtomic; };
template <class T>
inline constexpr bool kCanBeMadeUp = requires(T object) { object.make_up(); };

// Fields that mean something only together, such as a value and the round in which others have voted for it: who
// changes one of them says nothing that anybody believes, so that a lie may also be about all of them. A message names
// them by
//   static constexpr std::string_view kTogether = "…";
//   static constexpr auto said_together() { return std::tuple{field("value", &T::value), …}; }
template <class Message>
concept SaysTogether = requires { Message::said_together(); };

namespace leaves {

// The values of such fields of a message, as one leaf.
template <SaysTogether Message>
struct Together {
  template <class... Members>
  static std::tuple<Members...> copy(const Message& message, const Field<Message, Members>&... fields) {
    return {message.*(fields.member)...};
  }
  static auto values_of(const Message& message) {
    return std::apply([&](const auto&... fields) { return copy(message, fields...); }, Message::said_together());
  }
  using Values = decltype(values_of(std::declval<const Message&>()));

  Values values{};

  void put(Message& message) const {
    const auto put_all = [&](const auto&... fields) {
      std::apply([&](const auto&... value) { ((message.*(fields.member) = value), ...); }, values);
    };
    std::apply(put_all, Message::said_together());
  }
};
template <class T>
inline constexpr bool kIsTogether = false;
template <class Message>
inline constexpr bool kIsTogether<Together<Message>> = true;

template <class T>
constexpr bool is_atomic_field(std::string_view name) {
  if constexpr (requires { T::kAtomicFields; })
    return std::ranges::find(T::kAtomicFields, name) != T::kAtomicFields.end();
  return false;
}
template <class T>
constexpr bool is_bound_field(std::string_view name) {
  if constexpr (requires { T::kBoundFields; }) return std::ranges::find(T::kBoundFields, name) != T::kBoundFields.end();
  return false;
}

template <class T>
struct IsList : std::false_type {};
template <class T, std::size_t Capacity>
struct IsList<BoundedVector<T, Capacity>> : std::true_type {};

// Whether two values of a field say the same; not every message can be compared as a whole.
template <class T>
bool say_the_same(const T& one, const T& other) {
  if constexpr (IsList<T>::value) {
    const auto same = [](const auto& a, const auto& b) { return say_the_same(a, b); };
    return std::equal(one.begin(), one.end(), other.begin(), other.end(), same);
  } else if constexpr (kIsTogether<T>) {
    return one.values == other.values;
  } else if constexpr (Described<T>) {
    return std::apply(
        [&](const auto&... f) { return (true && ... && say_the_same(one.*(f.member), other.*(f.member))); },
        T::fields());
  } else {
    return one == other;
  }
}

template <class T>
constexpr LeafType type_of(bool is_atomic) {
  if (is_atomic) return kCanBeMadeUp<T> ? LeafType::kAsked : LeafType::kAtomic;
  if constexpr (std::same_as<T, Round>) return LeafType::kRound;
  if constexpr (std::same_as<T, Height>) return LeafType::kHeight;
  if constexpr (std::same_as<T, ValueId>) return LeafType::kValue;
  if constexpr (std::same_as<T, Identity>) return LeafType::kIdentity;
  if constexpr (std::same_as<T, IdentitySet>) return LeafType::kIdentities;
  if constexpr (std::same_as<T, bool>) return LeafType::kFlag;
  if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) return LeafType::kNumber;
  if constexpr (IsList<T>::value) return LeafType::kList;
  return LeafType::kAtomic;  // of what nothing is known nothing is made up
}

// "certificate", "highest.view".
struct Path {
  const Path* outer = nullptr;
  std::string_view name{};

  std::string text() const {
    return outer == nullptr || outer->name.empty() ? std::string(name) : outer->text() + "." + std::string(name);
  }
};

// What a leaf says first, see brief_of in model/twist.hpp.
template <class T>
constexpr LeafType shown_type() {
  if constexpr (kIsTogether<T>) {
    return shown_type<std::tuple_element_t<0, typename T::Values>>();
  } else if constexpr (Described<T>) {
    using First = std::remove_cvref_t<decltype(std::declval<T&>().*(std::get<0>(T::fields()).member))>;
    return shown_type<First>();
  } else {
    return type_of<T>(false);
  }
}

// Calls visit(path, leaf, type) for each leaf.
template <class T, class Visitor>
void for_each_leaf(T& object, const Path& path, bool is_atomic, Visitor& visit) {
  using Plain = std::remove_const_t<T>;
  if constexpr (Described<Plain>) {
    if (!is_atomic && !kIsAtomic<Plain>) {
      for_each_field(object, [&](std::string_view name, auto& member) {
        if (!is_bound_field<Plain>(name)) for_each_leaf(member, Path{&path, name}, is_atomic_field<Plain>(name), visit);
      });
      return;
    }
  }
  visit(path, object, type_of<Plain>(is_atomic || kIsAtomic<Plain>));
}

}  // namespace leaves

template <class Message, class Visitor>
void for_each_leaf(Message& message, Visitor&& visit) {
  leaves::for_each_leaf(message, leaves::Path{}, false, visit);
  using Plain = std::remove_const_t<Message>;
  if constexpr (SaysTogether<Plain>) {
    leaves::Together<Plain> together{leaves::Together<Plain>::values_of(message)};
    visit(leaves::Path{nullptr, Plain::kTogether}, together, LeafType::kTogether);
    if constexpr (!std::is_const_v<Message>) together.put(message);
  }
}
template <class Message, class Visitor>
void visit_leaf(Message& message, unsigned number, Visitor&& visit) {
  unsigned at = 0;
  for_each_leaf(message, [&](const leaves::Path&, auto& leaf, LeafType type) {
    if (at++ == number) visit(leaf, type);
  });
}

struct LeafName {
  std::string name;  // "certificate"; of a message that is one leaf, "message"
  LeafType type{};
  LeafType shown{};  // what a trace tells of it
  Twists paper_small{};
  Twists paper_any{};  // what the paper does to it; nothing if it leaves the field alone
};
using KindLeaves = std::vector<LeafName>;

// Of each kind of a protocol's messages, in the order of the variant.
template <class Message>
struct LeavesOf;
template <class... Alternatives>
struct LeavesOf<std::variant<Alternatives...>> {
  static std::vector<KindLeaves> make() { return {of<Alternatives>()...}; }

 private:
  template <class Alternative>
  static KindLeaves of() {
    KindLeaves result;
    const Alternative message{};
    for_each_leaf(message, [&](const leaves::Path& path, const auto& leaf, LeafType type) {
      using Leaf = std::remove_cvref_t<decltype(leaf)>;
      const std::string name = path.text();
      result.push_back({name.empty() ? "message" : name, type, leaves::shown_type<Leaf>()});
    });
    return result;
  }
};

template <class Message>
struct KindNames;
template <class... Alternatives>
struct KindNames<std::variant<Alternatives...>> {
  static constexpr std::array<std::string_view, sizeof...(Alternatives)> value{Alternatives::kName...};
};

// With what the paper does to each, for a protocol that it is about.
template <class P>
std::vector<KindLeaves> leaves_of() {
  std::vector<KindLeaves> result = LeavesOf<typename P::Message>::make();
  if constexpr (requires { P::kPaperLies; }) {
    const auto& names = KindNames<typename P::Message>::value;
    for (const PaperLie& lie : P::kPaperLies) {
      const auto kind = static_cast<std::size_t>(std::ranges::find(names, lie.kind) - names.begin());
      NIKA_REQUIRE(kind < result.size());
      const auto leaf = std::ranges::find(result[kind], lie.field, &LeafName::name);
      NIKA_REQUIRE(leaf != result[kind].end());
      leaf->paper_small = lie.small;
      leaf->paper_any = lie.any;
    }
  }
  return result;
}

}  // namespace nika
