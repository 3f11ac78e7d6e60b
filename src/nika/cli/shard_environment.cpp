#include "nika/cli/shard_environment.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <optional>

#include "nika/base/printable.hpp"
#include "nika/base/wide.hpp"

namespace nika::cli {
namespace {

struct JobArray {
  const char* number;
  const char* count;
  const char* first;  // of the numbers; null: they count from 0
  const char* step;   // between two numbers
};
// Kubernetes tells no count: a job's manifest sets JOB_COMPLETIONS to what its field `completions` is.
constexpr std::array<JobArray, 3> kArrays{
    {{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP"},
     {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", nullptr, nullptr},
     {"JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", nullptr, nullptr}}};

Result<Wide> number_in(const char* name, Wide usual) {
  const char* const text = name == nullptr ? nullptr : std::getenv(name);
  if (text == nullptr) return usual;
  const auto number = parse_wide(text);
  if (!number) return bad_input(fmt::format("read {}={} in the environment, expected a number", name, in_quotes(text)));
  return *number;
}

Result<std::string> shard_in(const JobArray& array) {
  const auto number = number_in(array.number, 0);
  const auto count = number_in(array.count, 0);
  const auto first = number_in(array.first, 0);
  const auto step = number_in(array.step, 1);
  for (const auto* value : {&number, &count, &first, &step}) {
    if (!*value) return tl::unexpected(value->error());
  }
  if (*number < *first || *step == 0 || (*number - *first) % *step != 0 || (*number - *first) / *step >= *count) {
    return bad_input(fmt::format("{}={} is none of the {} jobs that {} says there are: give --shard", array.number,
                                 to_string(*number), to_string(*count), array.count));
  }
  return fmt::format("{}/{}", to_string((*number - *first) / *step + 1), to_string(*count));
}

}  // namespace

Result<std::string> shard_of_environment() {
  for (const JobArray& array : kArrays) {
    if (std::getenv(array.number) != nullptr && std::getenv(array.count) != nullptr) return shard_in(array);
  }
  return std::string();
}

}  // namespace nika::cli
