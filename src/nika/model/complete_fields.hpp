// Whether a description forgets a member. What fields() does not name is not seen by whoever merges worlds, so a search
// would take different worlds for one and say that something holds. A member that can make no difference (a filler) is
// named with the reason in `static constexpr auto forgets()`, which returns std::tuple{field("why", &T::member), …}.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "nika/model/fields.hpp"

namespace nika {

namespace members {

struct Anything {
  template <class T>
  constexpr operator T() const;  // NOLINT(google-explicit-constructor): it stands for any initialiser
};
template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), Anything{})...}; };
}
// How many members a struct has that is plain enough to be initialised member by member.
template <class T, std::size_t Count = 0>
constexpr std::size_t count() {
  if constexpr (takes<T>(std::make_index_sequence<Count + 1>{})) {
    return count<T, Count + 1>();
  } else {
    return Count;
  }
}

template <class T>
constexpr auto all_named() {
  if constexpr (requires { T::forgets(); }) {
    return std::tuple_cat(T::fields(), T::forgets());
  } else {
    return T::fields();
  }
}
template <class One, class Other>
constexpr bool are_same(const One& one, const Other& other) {
  if constexpr (std::same_as<One, Other>) {
    return one.member == other.member;
  } else {
    return false;
  }
}

// The types that a value of type T is made of.
template <class T>
struct Parts {
  using Types = std::tuple<>;
};
template <class T, std::size_t Capacity>
struct Parts<BoundedVector<T, Capacity>> {
  using Types = std::tuple<T>;
};
template <class... Alternatives>
struct Parts<std::variant<Alternatives...>> {
  using Types = std::tuple<Alternatives...>;
};
template <Described T>
struct Parts<T> {
  template <class... Owners, class... Members>  // a description may be inherited
  static std::tuple<Members...> types(const std::tuple<Field<Owners, Members>...>&);
  using Types = decltype(types(T::fields()));
};

}  // namespace members

// Each member is named once. Members are counted where that is possible; where there is no padding, bytes are.
template <Described T>
constexpr bool names_every_member() {
  return std::apply(
      []<class... Owners, class... Members>(const Field<Owners, Members>&... field) {
        [[maybe_unused]] const auto times = [&](const auto& one) {
          return (0 + ... + (members::are_same(one, field) ? 1 : 0));
        };
        const bool is_plain = std::has_unique_object_representations_v<T>;
        const bool adds_up = is_plain && (std::size_t{0} + ... + sizeof(Members)) == sizeof(T);
        bool is_counted = false;
        if constexpr (std::is_aggregate_v<T>) is_counted = members::count<T>() == sizeof...(Members);
        return (true && ... && (times(field) == 1)) && (adds_up || is_counted);
      },
      members::all_named<T>());
}

template <class T>
constexpr bool names_every_member_if_described() {
  if constexpr (Described<T>) return names_every_member<T>();
  return true;
}

// The same for T and all that it is made of.
template <class T, class Parts = typename members::Parts<T>::Types>
constexpr bool kIsDescribedWhole = false;
template <class T, class... Parts>
constexpr bool kIsDescribedWhole<T, std::tuple<Parts...>> =
    names_every_member_if_described<T>() && (true && ... && kIsDescribedWhole<Parts>);

// The same, where anything else is a mistake: the compiler stops, and names the type that forgets something.
template <class T, class Parts = typename members::Parts<T>::Types>
struct DescribedWhole;
template <class T, class... Parts>
struct DescribedWhole<T, std::tuple<Parts...>> {
  static_assert(names_every_member_if_described<T>(),
                "fields() forgets a member, or names one twice: name each of them once, there or, if it can make no "
                "difference, with the reason in forgets()");
  static constexpr bool value = (true && ... && DescribedWhole<Parts>::value);
};

}  // namespace nika
