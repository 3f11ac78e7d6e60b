#include "nika/cli/reproduce_limitations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "nika/campaign/attack_run.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/cli/console.hpp"
#include "nika/cli/known_attacks.hpp"

namespace nika::cli {
namespace {

// A row of the paper's table, and the attack of ours that shows it.
struct Limitation {
  std::string_view algorithm;
  std::string_view limitation;
  std::string_view attack;
  std::string_view more;  // a further command about it; empty if there is none
};
constexpr std::array<Limitation, 6> kTable{{
    {"Randomized consensus (HoneyBadger)", "liveness", "mmr14-coin", ""},
    {"Casper", "liveness", "casper-ffg-split", ""},
    {"Ripple consensus", "safety", "ripple-2014-fork", "reproduce overlap"},
    {"Tendermint consensus", "safety", "tendermint-unlock", ""},
    {"Zyzzyva", "safety", "zyzzyva-fork", ""},
    {"IBFT", "liveness", "ibft-locked", ""},
}};

// What came of a row. An attack that is not there shows nothing: neither success nor failure of a protocol.
struct Shown {
  const Limitation* row = nullptr;
  bool is_there = false;
  bool is_about_progress = false;
  bool reproduced = false;
  bool loop_proved = false;
  bool script_survived = false;  // by the repaired protocol
  AttackFound search{};

  // Unknown is not survival.
  bool repaired_survives() const {
    return script_survived && search.repaired_found == 0 && search.repaired_unknown == 0 && search.repaired_tried > 0;
  }
  bool is_satisfied() const {
    return is_there && reproduced && (!is_about_progress || loop_proved) && search.found && repaired_survives();
  }
};

std::vector<std::string> commands_of(const Limitation& row, const SearchBudget& budget) {
  std::vector<std::string> commands{
      named(fmt::format("NIKA attack {}", row.attack)),
      named(fmt::format("NIKA reproduce attacks --only {} --seconds {:g} --seed {}{}", row.attack, budget.seconds,
                        budget.seed, budget.takes_hints ? " --hints" : ""))};
  if (!row.more.empty()) commands.push_back(named(fmt::format("NIKA {}", row.more)));
  return commands;
}

Result<Shown> show(const Limitation& row, const Attacks& attacks, const SearchBudget& budget,
                   const Registry& registry) {
  Shown shown;
  shown.row = &row;
  const auto attack = std::ranges::find(attacks, row.attack, &store::Attack::name);
  if (attack == attacks.end()) return shown;
  shown.is_there = true;
  shown.is_about_progress = row.limitation == "liveness";
  const auto run = stage(registry, *attack);
  if (!run) return tl::unexpected(run.error());
  shown.reproduced = run->reproduced();
  // A strategy against the coin is judged by its proof, which is over all that the coin can show.
  const bool has_strategy = !attack->flawed.turns.empty();
  shown.loop_proved = has_strategy ? shown.reproduced : run->loop && run->loop->proved;
  shown.script_survived = run->repaired_survives();
  if (budget.seconds == 0) return shown;  // scripts only
  auto search = search_for(registry, *attack, budget);
  if (!search) return tl::unexpected(search.error());
  shown.search = *std::move(search);
  return shown;
}

Json json_of(const Shown& shown, const SearchBudget& budget) {
  Json json{{"algorithm", shown.row->algorithm},
            {"limitation", shown.row->limitation},
            {"attack", shown.row->attack},
            {"is_there", shown.is_there},
            {"reproduced", shown.reproduced}};
  if (shown.is_about_progress) json["loop_proved"] = shown.loop_proved;
  const AttackFound& search = shown.search;
  json["found"] = search.found;
  json["tried"] = json_count(search.tried);
  json["seconds"] = std::round(search.seconds * 1e3) / 1e3;
  json["repaired_survives"] = shown.repaired_survives();
  json["repaired_tried"] = json_count(search.repaired_tried);
  json["repaired_found"] = json_count(search.repaired_found);
  json["repaired_unknown"] = json_count(search.repaired_unknown);
  json["cut_short"] = search.was_stopped;
  json["commands"] = commands_of(*shown.row, budget);
  return json;
}

std::string survival_text(const Shown& shown) {
  const AttackFound& search = shown.search;
  std::string text = shown.script_survived ? "script: yes" : "script: NO";
  if (search.repaired_found > 0)
    return text + fmt::format(", BROKEN in {} of {}", grouped(search.repaired_found), grouped(search.repaired_tried));
  if (search.repaired_tried == 0) return text + ", not searched";
  text += fmt::format(", search: nothing in {}", grouped(search.repaired_tried));
  if (search.repaired_unknown > 0) text += fmt::format(", {} unknown", grouped(search.repaired_unknown));
  return text;
}

void print_head() {
  fmt::print("{:<35} {:<10} {:<18} {:<22} {:<21} {}\n", "algorithm", "limitation", "attack", "scripted",
             "found by search", "alternative survives");
}

void print_row(const Shown& shown, const SearchBudget& budget) {
  const Limitation& row = *shown.row;
  std::string scripted = "not there";
  std::string found = "-";
  std::string survives = "-";
  if (shown.is_there) {
    scripted = shown.reproduced ? "yes" : "NO";
    if (shown.is_about_progress) scripted += shown.loop_proved ? ", loop proved" : ", no loop proved";
    found = fmt::format("{}, {} tried", shown.search.found ? "yes" : "no", grouped(shown.search.tried));
    if (budget.seconds == 0) found = "not searched";
    survives = survival_text(shown);
  }
  fmt::print("{:<35} {:<10} {:<18} {:<22} {:<21} {}\n", row.algorithm, row.limitation, row.attack, scripted, found,
             survives);
  if (!shown.is_there) return;
  for (const std::string& command : commands_of(row, budget)) fmt::print("    {}\n", command);
  std::fflush(stdout);
}

}  // namespace

Result<int> reproduce_limitations(SearchBudget budget, bool as_json, const Registry& registry) {
  const auto attacks = all_attacks(registry);
  if (!attacks) return tl::unexpected(attacks.error());
  ProgressLine progress;
  Json rows = Json::array();
  std::size_t satisfied = 0;
  if (!as_json) print_head();
  for (const Limitation& row : kTable) {
    if (budget.is_stopped()) break;
    const Watch watch;
    budget.progress = [&](Wide tried) {
      progress.show(fmt::format("{}: {} tried  {:.0f} s", row.attack, grouped(tried), watch.seconds()));
    };
    const auto shown = show(row, *attacks, budget, registry);
    progress.clear();
    if (!shown) return tl::unexpected(shown.error());
    satisfied += shown->is_satisfied() ? 1 : 0;
    rows.push_back(json_of(*shown, budget));
    if (!as_json) print_row(*shown, budget);
  }
  if (as_json) {
    print_json(Json{{"command", "reproduce"},
                    {"what", "limitations"},
                    {"seed", budget.seed},
                    {"was_stopped", budget.is_stopped()},
                    {"rows", rows}});
  } else {
    fmt::print("{} of {} limitations are shown, found by search, and survived by the alternative\n", satisfied,
               kTable.size());
    if (budget.is_stopped()) fmt::print("stopped: the last line is of a search that was cut short\n");
  }
  return satisfied == kTable.size() && !budget.is_stopped() ? kExitHolds : kExitUnknown;
}

}  // namespace nika::cli
