// nika doctor: what this machine has, and which limits of searches follow from it.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <thread>

#include "nika/base/machine_memory.hpp"
#include "nika/base/program_fingerprint.hpp"
#include "nika/cli/commands.hpp"
#include "nika/cli/console.hpp"
#include "nika/smt/versions.hpp"

namespace nika::cli {
namespace {

constexpr unsigned kMaxThreads = 256;
// What an exhaustive search keeps of each world, at the least: docs/exploration.md.
constexpr std::uint64_t kBytesPerWorld = 64;
constexpr std::uint64_t kScarceMemory = std::uint64_t{512} << 20U;
constexpr std::uint64_t kScarceDisk = std::uint64_t{1} << 30U;

struct Machine {
  unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  std::uint64_t memory = available_memory_bytes();
  std::optional<std::uint64_t> disk{};       // free, where it is run
  std::optional<std::uint64_t> file_size{};  // that a file may have; nothing if any
  bool can_write = access(".", W_OK | X_OK) == 0;
  smt::Versions solvers = smt::solver_versions();
};

Machine look() {
  Machine machine;
  struct statvfs disk{};
  if (statvfs(".", &disk) == 0) machine.disk = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) machine.file_size = limit.rlim_cur;
  return machine;
}

std::string size_text(std::uint64_t bytes) {
  static constexpr std::array<const char*, 4> kUnits{"KiB", "MiB", "GiB", "TiB"};
  double size = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; size >= 1024 && unit + 1 < kUnits.size(); ++unit) size /= 1024;
  return fmt::format("{:.1f} {}", size, kUnits[unit]);
}

std::vector<std::string> warnings_of(const Machine& machine) {
  std::vector<std::string> warnings;
  if (machine.memory < kScarceMemory) warnings.emplace_back("little memory: --exhaustive will run worlds again");
  if (machine.disk && *machine.disk < kScarceDisk)
    warnings.emplace_back("little room on the disk: a campaign may stop");
  if (machine.file_size) warnings.push_back("files may not grow beyond " + size_text(*machine.file_size));
  if (!machine.can_write) warnings.emplace_back("this directory cannot be written to: findings need --findings DIR");
  return warnings;
}

int print_text(const Machine& machine) {
  const unsigned threads = std::min(machine.cores, kMaxThreads);
  fmt::print("{}\n", Paint().bold(version_text()));
  fmt::print("  program    {}\n", program_fingerprint());
  fmt::print("  cores      {:<10} so --threads is {}\n", machine.cores, threads);
  fmt::print("  memory     {:<10} so --memory is {}, for at most {} worlds of --exhaustive\n",
             size_text(machine.memory), size_text(default_memory_bytes()),
             grouped(Wide{default_memory_bytes() / kBytesPerWorld}));
  fmt::print("  disk       {:<10} free in this directory{}\n", machine.disk ? size_text(*machine.disk) : "unknown",
             machine.can_write ? "" : ", which cannot be written to");
  fmt::print("  solvers    Z3 {}, cvc5 {}\n", machine.solvers.z3, machine.solvers.cvc5);
  for (const std::string& warning : warnings_of(machine)) fmt::print("warning: {}\n", warning);
  return kExitHolds;
}

int print_object(const Machine& machine) {
  Json json;
  json["command"] = "doctor";
  json["version"] = version_text();
  json["program"] = program_fingerprint();
  json["cores"] = machine.cores;
  json["threads"] = std::min(machine.cores, kMaxThreads);
  json["memory_bytes"] = machine.memory;
  json["search_memory_bytes"] = default_memory_bytes();
  json["disk_bytes"] = machine.disk ? Json(*machine.disk) : Json(nullptr);
  json["can_write"] = machine.can_write;
  json["solvers"] = Json{{"z3", machine.solvers.z3}, {"cvc5", machine.solvers.cvc5}};
  json["warnings"] = warnings_of(machine);
  print_json(json);
  return kExitHolds;
}

}  // namespace

void add_doctor_command(CommandLine& line) {
  Command& command = line.add("doctor", "What this machine has, and which limits of searches follow");
  const auto as_json = std::make_shared<bool>(false);
  command.flag("--json", *as_json, "one JSON object on standard output; see docs/json.md");
  command.footer("Example:\n  NIKA doctor --json");
  command.on_run([as_json] { return *as_json ? print_object(look()) : print_text(look()); });
}

}  // namespace nika::cli
