#include "nika/report/page_json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/store/json_parts.hpp"

namespace nika::report {
namespace {

template <class T>
struct ListItem;
template <class T>
struct ListItem<std::vector<T>> {
  using Type = T;
};
template <class T>
struct OptionalItem;
template <class T>
struct OptionalItem<std::optional<T>> {
  using Type = T;
};
template <class T>
concept List = requires { typename ListItem<T>::Type; };
template <class T>
concept Optional = requires { typename OptionalItem<T>::Type; };

template <class T>
void write(std::string& out, const T& value) {
  if constexpr (std::same_as<T, std::string>) {
    out += store::json_text(value);
  } else if constexpr (std::same_as<T, bool>) {
    out += value ? "true" : "false";
  } else if constexpr (std::integral<T>) {
    out += std::to_string(value);
  } else if constexpr (List<T>) {
    out += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i > 0) out += ',';
      write(out, value[i]);
    }
    out += ']';
  } else if constexpr (Optional<T>) {
    if (value) {
      write(out, *value);
    } else {
      out += "null";
    }
  } else {
    char before = '{';
    for_each_field(value, [&](std::string_view name, const auto& member) {
      out += before;
      before = ',';
      out += store::json_text(name) + ':';
      write(out, member);
    });
    out += '}';
  }
}

// Interfaces in the order in which they are first needed, each once.
class Interfaces {
 public:
  template <class T>
  std::string type_of() {
    if constexpr (std::same_as<T, std::string>)
      return "string";
    else if constexpr (std::same_as<T, bool>)
      return "boolean";
    else if constexpr (std::integral<T>)
      return "number";
    else if constexpr (List<T>)
      return type_of<typename ListItem<T>::Type>() + "[]";
    else if constexpr (Optional<T>)
      return type_of<typename OptionalItem<T>::Type>() + " | null";
    else
      return described<T>();
  }
  const std::string& text() const { return text_; }

 private:
  template <class T>
  std::string described() {
    const std::string name(T::kName);
    if (std::ranges::find(known_, name) != known_.end()) return name;
    known_.push_back(name);
    std::string body;
    const T value{};
    for_each_field(value, [&](std::string_view member_name, const auto& member) {
      using Member = std::remove_cvref_t<decltype(member)>;
      body += fmt::format("  {}: {};\n", member_name, type_of<Member>());
    });
    text_ += fmt::format("\nexport interface {} {{\n{}}}\n", name, body);
    return name;
  }

  std::vector<std::string> known_;
  std::string text_;
};

}  // namespace

std::string to_json(const Page& page) {
  std::string out;
  write(out, page);
  return out;
}

std::string typescript_types() {
  Interfaces interfaces;
  (void)interfaces.type_of<Page>();
  return fmt::format(
      "// Made by `nika report --types` from src/nika/report/page.hpp; a test compares the two. Do not edit.\n"
      "\nexport const pageVersion = {};\n{}",
      kPageVersion, interfaces.text());
}

}  // namespace nika::report
