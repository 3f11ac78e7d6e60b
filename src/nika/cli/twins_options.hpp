// The arguments of `nika twins`, as the user typed them and as a request that makes sense.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nika/campaign/twins_campaign.hpp"
#include "nika/cli/bug_options.hpp"
#include "nika/cli/campaign_options.hpp"
#include "nika/cli/property_options.hpp"
#include "nika/scenarios/twins/settings.hpp"
#include "nika/scenarios/twins/symmetry_group.hpp"

namespace nika::cli {

// Everything is text until it is checked, so that every complaint is ours: what was read and what was expected.
struct TwinsArguments {
  std::string protocol;
  std::string network = "rounds";
  BugArguments bugs;
  std::string nodes = "4";
  std::string twins = "1";
  std::string copies = "2";
  std::string unl;
  std::string partitions = "2";
  bool at_most = false;
  std::string rounds = "7";
  std::string heal;
  std::string heal_leaders;
  std::string heal_rotations;
  std::string heal_orders;
  PropertyArguments asked{.property = "agreement", .temperature = {}, .time_bound = {}};
  std::string faults;
  std::string leaders;
  std::string assignment = "replacement";
  std::string order = "fifo";
  std::string granularity = "round";
  bool one_way = false;
  std::string late = "0";
  bool repeats = false;
  bool early_timeouts = false;
  bool receiver_orders = false;
  std::string crash_count = "0";
  std::string step1 = "all";
  std::string step2 = "all";
  std::string step3 = "all";
  std::string seed = "1";
  std::vector<std::string> crashes;
  std::string range;
  std::string shard;
  std::string symmetry;
  bool exhaustive = false;
  std::string memory;
  std::string threads;
  std::string in;
  std::string out;
  std::string html;
  bool dry_run = false;
  std::string findings = "findings";
  std::string max_findings = "1";
  bool no_shrink = false;
  bool stop_at_first = false;
  bool quiet = false;
  bool json = false;
  std::string schedule = "uniform";
  std::string timeouts = "0";
  std::string max_steps = "10000";
  std::string delta = "2";
  std::string ticks;
  CampaignArguments campaign;
  std::vector<std::string> words;  // the command line
  // Whether any argument of these kinds was given.
  bool describes_space = false;
  bool describes_rounds = false;
  bool describes_steps = false;
  bool describes_ticks = false;
};

// What to run, and how to tell it.
struct TwinsCommandRequest {
  TwinsRequest campaign;
  std::string out;
  std::string html;  // for pages of what is found; may be empty
  bool dry_run = false;
  bool json = false;
  bool quiet = false;
};

void add_twins_options(Command& command, TwinsArguments& arguments);
Result<TwinsCommandRequest> request_of(const TwinsArguments& arguments, const Registry& registry);

// "4GiB", "512MiB", "1000000": bytes.
Result<std::uint64_t> parse_memory(std::string_view text);
// "A'@4..6": down from round 4, up from round 6, without its memory; ":memory" at the end keeps it.
Result<Crash> parse_crash(std::string_view text, const Cluster& cluster);

}  // namespace nika::cli
