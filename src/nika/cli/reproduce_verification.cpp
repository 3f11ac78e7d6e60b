#include "nika/cli/reproduce_verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <thread>
#include <vector>

#include "nika/automata/parser.hpp"
#include "nika/base/printable.hpp"
#include "nika/campaign/watch.hpp"
#include "nika/cli/console.hpp"
#include "nika/cli/interrupt.hpp"
#include "nika/cli/run.hpp"
#include "nika/cli/verify_workers.hpp"

namespace nika::cli {
namespace {

// What the paper says of one of its two automata.
struct Published {
  std::string_view what;
  std::string_view where;
  unsigned lines;
  unsigned cores;
  std::string_view machine;
  double seconds;
  bool is_bound;  // "less than"
  std::vector<std::string_view> properties;
};

const Published& broadcast() {
  static const Published published{
      "BV-broadcast",
      "section 3.2",
      116,
      2,
      "Intel Core i5-7200U, 2.50 GHz",
      40,
      true,
      {"obligation0", "obligation1", "justification0", "justification1", "uniformity0", "uniformity1", "termination"}};
  return published;
}

// Of Figure 5 only the sum stands in the text.
const Published& consensus() {
  static const Published published{"DBFT binary consensus",
                                   "Figure 5",
                                   276,
                                   64,
                                   "4 AMD Opteron 6276, 2.3 GHz, with MPI",
                                   1046,
                                   false,
                                   {"validity0", "validity1", "agreement0", "agreement1", "round_termination"}};
  return published;
}

// One automaton of ours or of the paper.
struct Subject {
  std::string file;
  const Published* published;
  std::string_view differs;
};

constexpr std::string_view kBroadcastDiffers =
    "written anew from Algorithm 1: the paper's ten locations and twelve rules, no self-loops drawn (everybody may "
    "stay "
    "anywhere); termination asks that locB1 be left too, which the paper's formula leaves out";
constexpr std::string_view kAsPrintedDiffers = "written anew from Algorithm 2 and Figure 4, as they are printed";
constexpr std::string_view kRepairedDiffers =
    "not the paper's automaton: it repairs what is wrong with the printed one, see dbft-as-printed.ta: processes echo "
    "at "
    "any time, and deciders go on";
constexpr std::string_view kTheirsDiffers = "the paper's own file";

struct Measured {
  automata::Automaton automaton;
  std::size_t lines = 0;
  double seconds = 0;
  WorkResult work;
};

// The paper's files may carry its templates or be expanded.
std::string file_of_paper(const std::string& directory, const std::string& name) {
  const std::filesystem::path base(directory);
  const std::filesystem::path with_templates = base / (name + ".mako.ta");
  std::error_code ignored;
  return (std::filesystem::exists(with_templates, ignored) ? with_templates : base / (name + ".ta")).string();
}

std::vector<Subject> subjects_of(const VerificationArguments& a) {
  const std::filesystem::path models(a.models);
  std::vector<Subject> subjects = {
      {(models / "bv-broadcast.ta").string(), &broadcast(), kBroadcastDiffers},
      {(models / "dbft-as-printed.ta").string(), &consensus(), kAsPrintedDiffers},
      {(models / "dbft.ta").string(), &consensus(), kRepairedDiffers},
  };
  if (!a.paper.empty()) {
    subjects.push_back({file_of_paper(a.paper, "bv-broadcast"), &broadcast(), kTheirsDiffers});
    subjects.push_back({file_of_paper(a.paper, "dbft"), &consensus(), kTheirsDiffers});
  }
  return subjects;
}

std::size_t lines_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return static_cast<std::size_t>(
      std::count(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>(), '\n'));
}

// All files are read before the first is decided: a wrong directory is told at once.
Result<std::vector<Measured>> read(const std::vector<Subject>& subjects) {
  std::vector<Measured> all;
  for (const Subject& subject : subjects) {
    Result<automata::Automaton> automaton = automata::read_automaton(subject.file);
    if (!automaton) return tl::unexpected(automaton.error());
    all.push_back({std::move(*automaton), lines_of_file(subject.file), 0, {}});
  }
  return all;
}

// What the paper says of a property: all that it names were reported as verified.
bool is_published(const Published& published, const std::string& property) {
  return std::find(published.properties.begin(), published.properties.end(), property) != published.properties.end();
}

// What the paper reports as verified and is not so here.
std::vector<std::string> contradicted(const Published& published, const Measured& row) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < row.work.properties.size(); ++i) {
    const std::string& name = row.automaton.specifications[i].name;
    if (is_published(published, name) && verdict_of(row.work.properties[i].outcome) == Verdict::kViolated) {
      names.push_back(name);
    }
  }
  return names;
}

std::string text_of_seconds(const Published& published) {
  return fmt::format("{}{:.0f}", published.is_bound ? "< " : "", published.seconds);
}

void print_head(std::size_t width) {
  fmt::print("{:<{}} {:>5} {:>9} {:>5} {:>10} {:>5} {:>8}    paper: {:>5} {:>10} {:>5} {:>7}\n", "model", width,
             "lines", "locations", "rules", "properties", "cores", "seconds", "lines", "properties", "cores",
             "seconds");
}

struct Shown {
  std::size_t width;  // of the files' names
  unsigned cores;
};

void print_row(const Subject& subject, const Measured& row, const Shown& shown) {
  const Published& published = *subject.published;
  fmt::print("{:<{}} {:>5} {:>9} {:>5} {:>10} {:>5} {:>8.3f}           {:>5} {:>10} {:>5} {:>7}\n",
             printable(subject.file), shown.width, row.lines, row.automaton.locations.size(),
             row.automaton.rules.size(), row.automaton.specifications.size(), shown.cores, row.seconds, published.lines,
             published.properties.size(), published.cores, text_of_seconds(published));
  const Paint paint;
  for (std::size_t i = 0; i < row.work.properties.size(); ++i) {
    const std::string& name = row.automaton.specifications[i].name;
    const auto& [outcome, seconds] = row.work.properties[i];
    const Verdict colour = is_vacuous(outcome) ? Verdict::kUnknown : verdict_of(outcome);
    fmt::print("  {:<20} {} {:>8.3f}  {}{}\n", name, paint.verdict(colour, fmt::format("{:<8}", word_for(outcome))),
               seconds, is_published(published, name) ? "paper: verified" : "not in the paper",
               outcome.by_symmetry_with.empty() ? "" : "; by symmetry with " + outcome.by_symmetry_with);
  }
  fmt::print("  {}\n", subject.differs);
  for (const std::string& name : contradicted(published, row)) {
    fmt::print("  {}: the paper reports it as verified, and it is violated; docs/verify.md tells why\n", name);
  }
  std::fflush(stdout);
}

double rounded(double seconds) { return std::round(seconds * 1e6) / 1e6; }

Json json_of(const Subject& subject, const Measured& row, unsigned cores) {
  const Published& published = *subject.published;
  Json properties = Json::array();
  for (std::size_t i = 0; i < row.work.properties.size(); ++i) {
    const std::string& name = row.automaton.specifications[i].name;
    properties.push_back({{"name", name},
                          {"verdict", word_for(row.work.properties[i].outcome)},
                          {"seconds", rounded(row.work.properties[i].seconds)},
                          {"paper", is_published(published, name) ? Json("verified") : Json(nullptr)}});
  }
  return Json{{"model", subject.file},
              {"lines", row.lines},
              {"locations", row.automaton.locations.size()},
              {"rules", row.automaton.rules.size()},
              {"cores", cores},
              {"seconds", rounded(row.seconds)},
              {"properties", std::move(properties)},
              {"differs", subject.differs},
              {"contradicted", contradicted(published, row)},
              {"paper",
               {{"what", published.what},
                {"where", published.where},
                {"lines", published.lines},
                {"properties", published.properties.size()},
                {"cores", published.cores},
                {"machine", published.machine},
                {"seconds", published.seconds},
                {"seconds_is_bound", published.is_bound}}}};
}

bool is_decided(const WorkResult& work) {
  return std::all_of(work.properties.begin(), work.properties.end(),
                     [](const PropertyResult& property) { return verdict_of(property.outcome) != Verdict::kUnknown; });
}

void print_foot() {
  fmt::print(
      "paper: {} on 2 cores ({}); {} on 64 cores ({}), the sum of five\n"
      "properties, whose single times its text does not have.\n"
      "Rules are counted after the expansion of templates, self-loops included. Seconds are of the wall clock, with "
      "the\n"
      "check that no property holds vacuously.\n",
      broadcast().machine, broadcast().where, consensus().machine, consensus().where);
}

}  // namespace

Result<int> reproduce_verification(const VerificationArguments& a) {
  const std::vector<Subject> subjects = subjects_of(a);
  Result<std::vector<Measured>> rows = read(subjects);
  if (!rows) return tl::unexpected(rows.error());
  WorkOrder order;
  order.options.budget.cancelled = &catch_interrupts();
  order.threads = a.threads > 0 ? a.threads : std::max(1U, std::thread::hardware_concurrency());
  const unsigned cores = std::min(order.threads, std::max(1U, std::thread::hardware_concurrency()));
  Json json = Json::array();
  bool all_decided = true;
  bool was_abandoned = false;
  std::size_t width = 0;
  for (const Subject& subject : subjects) width = std::max(width, subject.file.size());
  if (!a.json) print_head(width);
  for (std::size_t i = 0; i < subjects.size() && !was_abandoned; ++i) {
    Measured& row = (*rows)[i];
    const Watch watch;
    row.work = verify_all(row.automaton, order);
    row.seconds = watch.seconds();
    all_decided = all_decided && is_decided(row.work);
    was_abandoned = row.work.abandoned;
    if (a.json) json.push_back(json_of(subjects[i], row, cores));
    if (!a.json) print_row(subjects[i], row, {width, cores});
  }
  const bool was_stopped = order.options.budget.cancelled->load();
  if (a.json) {
    print_json(Json{
        {"command", "reproduce"}, {"what", "verification"}, {"was_stopped", was_stopped}, {"rows", std::move(json)}});
  } else {
    print_foot();
  }
  if (was_abandoned) leave_without_waiting();
  return all_decided && !was_stopped ? kExitHolds : kExitUnknown;
}

}  // namespace nika::cli
