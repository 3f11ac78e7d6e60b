// Coins, and turns of strategies against them: "coins": "0110", "turns": [{"before": ["A bval 1 -> B C"], "if_0": […],
// "if_1": […], "next": [2, 3]}].
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "nika/store/scenario_reader.hpp"

namespace nika::store {
namespace {

using Kind = LocatedJson::Kind;

constexpr std::size_t kMaxTurns = 64;
constexpr unsigned kMaxSent = 255;  // messages of one kind that a seat sends in a round

// Up to the next space, which is left out of the rest.
std::string_view word_of(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

}  // namespace

void ScenarioReader::read_coins(const JsonObject& object) {
  if (object.find("coins") == nullptr) return;
  const LocatedJson& node = *object.find("coins");
  const bool is_sound = node.kind == Kind::kString && node.text.size() <= kMaxRound &&
                        node.text.find_first_not_of("01") == std::string::npos;
  if (!is_sound) return complain(node, fmt::format("the coins of rounds 1, 2 and so on, such as \"0110\""));
  for (const char coin : node.text) scenario_.coins.push_back(coin == '1' ? 1 : 0);
}

void ScenarioReader::read_turns(const JsonObject& object) {
  const LocatedJson* const node = object.find("turns");
  if (node == nullptr) return;
  if (object.find("steps") != nullptr)
    return reading_.complain(node->name_offset, "\"turns\" beside \"steps\"", "one or the other");
  const auto items = object.items("turns", Kind::kArray);
  if (items.empty() || items.size() > kMaxTurns) return complain(*node, fmt::format("1 to {} turns", kMaxTurns));
  for (const LocatedJson& item : items) {
    const JsonObject turn(reading_, item, {"before", "if_0", "if_1", "next", "note"});
    CoinTurn& told = scenario_.turns.emplace_back();
    told.note = text_in(turn, "note");
    read_turn_steps(turn, "before", told.before);
    read_turn_steps(turn, "if_0", told.after[0]);
    read_turn_steps(turn, "if_1", told.after[1]);
    const auto next = turn.items("next", Kind::kArray);
    const auto is_turn = [&](const LocatedJson& number) {
      return number.number && *number.number >= 1 && *number.number <= items.size();
    };
    if (next.size() != 2 || !std::ranges::all_of(next, is_turn)) {
      return complain(turn.find("next") != nullptr ? *turn.find("next") : item,
                      fmt::format("\"next\": two turns from 1 to {}, for 0 and for 1", items.size()));
    }
    for (std::size_t coin = 0; coin < 2; ++coin) told.next[coin] = static_cast<std::uint8_t>(*next[coin].number - 1);
  }
  if (!reading_.error()) check_steps(*node, "turns");
}

// "A bval 1 -> B C": the first bval that A sends in the round reaches B, then C.
void ScenarioReader::read_turn_steps(const JsonObject& turn, std::string_view name, std::vector<TurnStep>& steps) {
  if (turn.find(name) == nullptr) return;
  for (const LocatedJson& item : turn.items(name, Kind::kArray)) {
    std::string_view text = item.text;
    const auto from = seat_named(cluster_, word_of(text));
    const auto kind = std::ranges::find(words_.kinds, word_of(text));
    const std::string_view digits = word_of(text);
    unsigned number = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool is_number = parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size();
    const bool is_sound = item.kind == Kind::kString && from && kind != words_.kinds.end() && is_number &&
                          number >= 1 && number <= kMaxSent && word_of(text) == "->" && !text.empty();
    if (!is_sound) {
      return complain(item, fmt::format("a sender, one of {}, its number and who it reaches, such as \"A {} 1 -> B C\"",
                                        fmt::join(words_.kinds, ", "), words_.kinds.empty() ? "" : words_.kinds[0]));
    }
    TurnStep step{static_cast<std::uint8_t>(kind - words_.kinds.begin()), static_cast<std::uint8_t>(number), *from, {}};
    for (Seat seat : seats_in(item, text)) step.to.insert(seat);
    steps.push_back(step);
  }
}

}  // namespace nika::store
