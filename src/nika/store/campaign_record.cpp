#include "nika/store/campaign_record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nika/base/located_json.hpp"
#include "nika/base/require.hpp"
#include "nika/store/json_parts.hpp"

namespace nika::store {
namespace {

struct Named {
  std::string_view name;
  Wide Counts::* count;
};
constexpr std::array<Named, 11> kCounts{{{"executed", &Counts::executed},
                                         {"scenarios", &Counts::scenarios},
                                         {"violating", &Counts::violating},
                                         {"unknown", &Counts::unknown},
                                         {"committed", &Counts::committed},
                                         {"violating_runs", &Counts::violating_runs},
                                         {"effective", &Counts::effective},
                                         {"matched", &Counts::matched},
                                         {"changed", &Counts::changed},
                                         {"omitted", &Counts::omitted},
                                         {"cut", &Counts::cut}}};

bool add_to(Wide& sum, Wide part) { return !__builtin_add_overflow(sum, part, &sum); }

// Counts are written as texts: JSON's numbers end at 2^53.
std::string quoted(Wide count) { return fmt::format("\"{}\"", to_string(count)); }

class CountsReader {
 public:
  explicit CountsReader(JsonReading& reading) : reading_(reading) {}

  Counts read(const LocatedJson& root) {
    const JsonObject object(reading_, root,
                            {"executed", "scenarios", "violating", "unknown", "committed", "violating_runs",
                             "effective", "matched", "changed", "omitted", "cut", "properties"});
    Counts counts;
    for (const Named& named : kCounts) counts.*named.count = wide(object, named.name);
    for (const LocatedJson& item : object.items("properties", LocatedJson::Kind::kArray))
      counts.properties.push_back(property(item));
    return counts;
  }

 private:
  Wide wide(const JsonObject& object, std::string_view name) {
    const std::string text = object.text(name);
    if (reading_.error()) return 0;
    const auto number = parse_wide(text);
    if (!number) reading_.complain(*object.find(name), "a count below 2^128");
    return number.value_or(0);
  }

  PropertyCounts property(const LocatedJson& node) {
    const JsonObject object(reading_, node, {"violating", "unknown", "unknown_because"});
    PropertyCounts counts;
    counts.violating = wide(object, "violating");
    counts.unknown = wide(object, "unknown");
    for (const LocatedJson& reason : object.items("unknown_because", LocatedJson::Kind::kObject)) {
      std::size_t why = 0;
      while (why < kUnjudgedCount && text_of(static_cast<Unjudged>(why)) != reason.name) ++why;
      const auto number = parse_wide(reason.text);
      if (why == kUnjudgedCount || reason.kind != LocatedJson::Kind::kString || !number) {
        reading_.complain(reason, "how often for which reason nothing could be said");
        break;
      }
      counts.unknown_because[why] = *number;
    }
    return counts;
  }

  JsonReading& reading_;
};

}  // namespace

bool Counts::add(const Counts& other) {
  if (properties.size() != other.properties.size()) return false;
  Counts sum = *this;
  bool fits = true;
  for (const Named& named : kCounts) fits &= add_to(sum.*named.count, other.*named.count);
  for (std::size_t p = 0; p < properties.size(); ++p) {
    fits &= add_to(sum.properties[p].violating, other.properties[p].violating);
    fits &= add_to(sum.properties[p].unknown, other.properties[p].unknown);
    for (std::size_t w = 0; w < kUnjudgedCount; ++w)
      fits &= add_to(sum.properties[p].unknown_because[w], other.properties[p].unknown_because[w]);
  }
  if (fits) *this = std::move(sum);
  return fits;
}

Counts CampaignRecord::total() const {
  Counts total;
  total.properties.resize(plan.properties.size());
  for (const Stretch& stretch : stretches) NIKA_REQUIRE(total.add(stretch.counts));
  return total;
}

Wide CampaignRecord::missing() const {
  Wide missing = asked();
  for (const Stretch& stretch : stretches) missing -= stretch.last - stretch.first;
  return missing;
}

std::vector<const FindingRecord*> CampaignRecord::told() const {
  std::vector<const FindingRecord*> told;
  for (const FindingRecord& finding : findings) {
    const auto is_of_it = [&](const SightingRecord& sighting) {
      return sighting.position == finding.position && sighting.property == finding.property;
    };
    if (std::ranges::none_of(sightings, is_of_it)) continue;
    const auto is_same = [&](const FindingRecord* before) {
      return before->name == finding.name && before->property == finding.property;
    };
    if (std::ranges::none_of(told, is_same)) told.push_back(&finding);
  }
  return told;
}

std::string to_json(const Counts& counts) {
  const std::string sums = joined(kCounts, ",", [&](const Named& named) {
    return fmt::format("\"{}\":{}", named.name, quoted(counts.*named.count));
  });
  const auto reasons = [](const PropertyCounts& property) {
    std::string text;
    for (std::size_t w = 0; w < kUnjudgedCount; ++w) {
      if (property.unknown_because[w] == 0) continue;
      text += fmt::format("{}{}:{}", text.empty() ? "" : ",", json_text(text_of(static_cast<Unjudged>(w))),
                          quoted(property.unknown_because[w]));
    }
    return text;
  };
  const std::string properties = joined(counts.properties, ",", [&](const PropertyCounts& property) {
    return fmt::format("{{\"violating\":{},\"unknown\":{},\"unknown_because\":{{{}}}}}", quoted(property.violating),
                       quoted(property.unknown), reasons(property));
  });
  return fmt::format("{{{},\"properties\":[{}]}}", sums, properties);
}

Result<Counts> counts_from_json(std::string_view text, std::string_view file) {
  JsonReading reading(file, text);
  const LocatedJson root = reading.parse();
  Counts counts;
  if (!reading.error()) counts = CountsReader(reading).read(root);
  if (reading.error()) return tl::unexpected(*reading.error());
  return counts;
}

}  // namespace nika::store
