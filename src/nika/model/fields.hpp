// One description of the fields of a message or a state serves everyone: trace, JSON, relabelling, mutation.
// A described type has `static constexpr auto fields()` that returns std::tuple{field("name", &T::member), …}.
#pragma once

#include <array>
#include <string_view>
#include <tuple>
#include <variant>

#include "nika/base/bounded_vector.hpp"
#include "nika/base/ids.hpp"

namespace nika {

template <class Owner, class Member>
struct Field {
  std::string_view name;
  Member Owner::* member;
};

template <class Owner, class Member>
constexpr Field<Owner, Member> field(std::string_view name, Member Owner::* member) {
  return {name, member};
}

template <class T>
concept Described = requires { T::fields(); };

// Calls visit(name, member) for each field of a described value, in the order of its description.
template <class T, class Visitor>
  requires Described<std::remove_const_t<T>>
constexpr void for_each_field(T& object, Visitor&& visit) {
  std::apply([&](const auto&... f) { (visit(f.name, object.*(f.member)), ...); }, std::remove_const_t<T>::fields());
}

}  // namespace nika
