#include "nika/cli/reproduce_overlap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "nika/campaign/overlap_study.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/cli/console.hpp"
#include "nika/cli/interrupt.hpp"

namespace nika::cli {
namespace {

using lists::Overlap;

constexpr std::string_view kProtocol = "xrp-lcp";
constexpr std::array<unsigned, 2> kNodes{7, 10};

// The two sets of rules that are compared, each with its name in the table.
struct Rules {
  std::string_view name;
  std::vector<std::string> bugs;
};
const std::array<Rules, 2>& all_rules() {
  static const std::array<Rules, 2> rules{Rules{"2014", {"rules-of-2014"}}, Rules{"xrp-lcp", {}}};
  return rules;
}

struct Row {
  OverlapSpace space;
  std::array<OverlapCount, 2> counts;  // by rules

  unsigned liars() const { return space.has_liar ? 1 : 0; }
  OverlapClaims claims() const { return claims_about(space.overlap, liars()); }
};

std::string_view word(bool is_safe) { return is_safe ? "safe" : "-"; }

void print_head() {
  fmt::print("{:>5} {:>7} {:>8} {:>5}  {:>5}  {:>11} {:>11} {:>11}   {:<7} {:<7} {:<7} {}\n", "nodes", "lists",
             "overlap", "%", "liars", "scenarios", "forks 2014", "forks LCP", ">=20%", ">40%", "quorums", "n/2+n-q+t");
}

void print_row(const Row& row) {
  const Overlap& overlap = row.space.overlap;
  const OverlapClaims claims = row.claims();
  fmt::print("{:>5} {:>7} {:>8} {:>5.1f}  {:>5}  {:>11} {:>11} {:>11}   {:<7} {:<7} {:<7} {}\n", overlap.nodes,
             fmt::format("{}, {}", overlap.first_size(), overlap.second_size()), overlap.shared, overlap.percent(),
             row.liars(), grouped(row.counts[0].scenarios), grouped(row.counts[0].forks), grouped(row.counts[1].forks),
             word(claims.white_paper), word(claims.armknecht), word(claims.quorums), word(claims.chase_macbrough));
  std::fflush(stdout);
}

Json json_of(const Row& row) {
  const Overlap& overlap = row.space.overlap;
  const OverlapClaims claims = row.claims();
  Json counts;
  for (std::size_t r = 0; r < row.counts.size(); ++r) {
    counts[std::string(all_rules()[r].name)] = Json{{"forks", json_count(row.counts[r].forks)},
                                                    {"unknown", json_count(row.counts[r].unknown)},
                                                    {"runs", json_count(row.counts[r].runs)}};
  }
  return Json{{"nodes", overlap.nodes},
              {"lists", {overlap.first_size(), overlap.second_size()}},
              {"shared", overlap.shared},
              {"overlap_percent", std::round(overlap.percent() * 10) / 10},
              {"liars", row.liars()},
              {"scenarios", json_count(row.counts[0].scenarios)},
              {"rules", counts},
              {"said_to_be_safe",
               {{"white_paper_2014", claims.white_paper},
                {"armknecht_2015", claims.armknecht},
                {"quorums", claims.quorums},
                {"chase_macbrough_2018", claims.chase_macbrough}}}};
}

// From which overlap on nothing forks, of one number of nodes and liars.
struct Stop {
  unsigned nodes = 0;
  unsigned liars = 0;
  const Overlap* last_fork = nullptr;
  const Overlap* first_safe = nullptr;  // after that one
};

std::vector<Stop> stops_in(const std::vector<Row>& rows, std::size_t rules) {
  std::vector<Stop> stops;
  for (const Row& row : rows) {
    auto same = std::ranges::find_if(
        stops, [&](const Stop& s) { return s.nodes == row.space.overlap.nodes && s.liars == row.liars(); });
    if (same == stops.end()) same = stops.insert(same, {row.space.overlap.nodes, row.liars()});
    if (row.counts[rules].forks > 0) {
      same->last_fork = &row.space.overlap;
      same->first_safe = nullptr;
    } else if (same->first_safe == nullptr) {
      same->first_safe = &row.space.overlap;
    }
  }
  return stops;
}

std::string share_text(const Overlap* overlap) {
  if (overlap == nullptr) return "-";
  return fmt::format("{} of {} ({:.1f} %)", overlap->shared, overlap->second_size(), overlap->percent());
}
Json share_json(const Overlap* overlap) {
  if (overlap == nullptr) return nullptr;
  return Json{{"shared", overlap->shared}, {"percent", std::round(overlap->percent() * 10) / 10}};
}

void print_stops(const std::vector<Row>& rows) {
  for (std::size_t r = 0; r < all_rules().size(); ++r) {
    for (const Stop& stop : stops_in(rows, r)) {
      fmt::print("{:<7} {:>2} nodes, {}: the last overlap that forks is {}; none forks from {} on\n",
                 all_rules()[r].name, stop.nodes, stop.liars == 0 ? "nobody lies" : "one liar",
                 share_text(stop.last_fork), share_text(stop.first_safe));
    }
  }
}

Json json_of_stops(const std::vector<Row>& rows) {
  Json list = Json::array();
  for (std::size_t r = 0; r < all_rules().size(); ++r) {
    for (const Stop& stop : stops_in(rows, r)) {
      list.push_back(Json{{"rules", all_rules()[r].name},
                          {"nodes", stop.nodes},
                          {"liars", stop.liars},
                          {"last_that_forks", share_json(stop.last_fork)},
                          {"none_forks_from", share_json(stop.first_safe)}});
    }
  }
  return list;
}

// A row whose forks are there though two quorums share an honest node, or are not though they need not.
bool contradicts_quorums(const Row& row) {
  return std::ranges::any_of(row.counts, [&](const OverlapCount& c) { return (c.forks == 0) != row.claims().quorums; });
}

bool is_unknown(const Row& row) {
  return std::ranges::any_of(row.counts, [](const OverlapCount& c) { return c.unknown > 0; });
}

void print_notes(const std::vector<Row>& rows, bool is_whole) {
  print_stops(rows);
  fmt::print(
      "safe: said to be free of forks by Schwartz et al. 2014 (>=20%), Armknecht et al. 2015 (>40%), because two "
      "quorums of 80 %\n  share more nodes than there are liars (quorums), by Chase and MacBrough 2018 (n/2+n-q+t); "
      "the "
      "first two do not reckon with liars\n");
  fmt::print("{} of {} rows are as the quorums say\n",
             std::ranges::count_if(rows, [](const Row& r) { return !contradicts_quorums(r); }), rows.size());
  if (!is_whole) fmt::print("stopped: only what was finished is told\n");
}

}  // namespace

Result<int> reproduce_overlap(const OverlapArguments& a, const Registry& registry) {
  const auto runner = registry.find(std::string(kProtocol));
  if (!runner) return tl::unexpected(runner.error());
  OverlapOptions options;
  options.threads = a.threads > 0 ? a.threads : std::max(1U, std::thread::hardware_concurrency());
  options.stop = &catch_interrupts();
  ProgressLine progress;
  std::vector<Row> rows;
  bool is_whole = true;
  if (!a.json) print_head();
  const unsigned last = a.nodes > 0 ? a.nodes : kNodes[1];
  for (unsigned nodes = a.nodes > 0 ? a.nodes : kNodes[0]; nodes <= last && is_whole; ++nodes) {
    for (unsigned number = 0; number < 2 * (nodes + 1) && is_whole; ++number) {
      Row row{{{nodes, number % (nodes + 1)}, number > nodes}, {}};
      for (std::size_t r = 0; r < row.counts.size() && is_whole; ++r) {
        progress.show(fmt::format("{} nodes, {} in both lists, by the rules of {}", nodes, row.space.overlap.shared,
                                  all_rules()[r].name));
        const auto count = count_forks(**runner, all_rules()[r].bugs, row.space, options);
        progress.clear();
        if (!count) return tl::unexpected(count.error());
        row.counts[r] = *count;
        is_whole = !count->was_stopped;
      }
      if (!is_whole) break;
      if (!a.json) print_row(row);
      rows.push_back(std::move(row));
    }
  }
  if (a.json) {
    Json list = Json::array();
    for (const Row& row : rows) list.push_back(json_of(row));
    print_json(Json{{"command", "reproduce"},
                    {"what", "overlap"},
                    {"was_stopped", !is_whole},
                    {"stops", json_of_stops(rows)},
                    {"rows", list}});
  } else {
    print_notes(rows, is_whole);
  }
  return is_whole && std::ranges::none_of(rows, is_unknown) ? kExitHolds : kExitUnknown;
}

}  // namespace nika::cli
