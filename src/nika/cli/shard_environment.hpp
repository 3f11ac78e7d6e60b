// Which part of the work a job of an array has: what Slurm, Open MPI and Kubernetes tell their jobs in the environment.
#pragma once

#include <string>

#include "nika/base/result.hpp"

namespace nika::cli {

// "i/n"; empty if this process is none of an array's jobs, or the array does not tell how many there are.
Result<std::string> shard_of_environment();

}  // namespace nika::cli
