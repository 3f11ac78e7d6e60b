// The protocols and properties that a program knows, by name, in the order in which they were added.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "nika/base/result.hpp"
#include "nika/campaign/runner.hpp"
#include "nika/properties/all.hpp"

namespace nika {

class Registry {
 public:
  Registry() {
    for (const Property* property : built_in_properties()) add(*property);
  }
  // Usually what runner_for<P>() makes.
  Registry& add(std::unique_ptr<Runner> runner);
  // Usually what property_of<Monitor>() makes; it outlives the registry. The built-in ones are there already.
  Registry& add(const Property& property) {
    properties_.push_back(&property);
    property_names_.push_back(property.name);
    return *this;
  }
  std::span<const Property* const> properties() const { return properties_; }
  std::span<const std::string_view> property_names() const { return property_names_; }
  // An error that lists the protocols there are.
  Result<const Runner*> find(std::string_view name) const;
  const std::vector<std::unique_ptr<Runner>>& runners() const { return runners_; }

 private:
  std::vector<std::unique_ptr<Runner>> runners_;
  std::vector<const Property*> properties_;
  std::vector<std::string_view> property_names_;
};

}  // namespace nika
