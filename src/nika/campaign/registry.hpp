// The protocols that a program knows, by name, in the order in which they were added.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "nika/base/result.hpp"
#include "nika/campaign/runner.hpp"

namespace nika {

class Registry {
 public:
  // Usually what runner_for<P>() makes.
  Registry& add(std::unique_ptr<Runner> runner) {
    runners_.push_back(std::move(runner));
    return *this;
  }
  // An error that lists the protocols there are.
  Result<const Runner*> find(std::string_view name) const;
  const std::vector<std::unique_ptr<Runner>>& runners() const { return runners_; }

 private:
  std::vector<std::unique_ptr<Runner>> runners_;
};

}  // namespace nika
