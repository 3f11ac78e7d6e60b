// The NEW-VIEW messages that a replica has heard: for each identity the latest view it is known to have entered, with
// the certificate it reported then. Identities that said the same are kept together, so nothing depends on their names.
#pragma once

#include <algorithm>
#include <optional>

#include "nika/base/bounded_vector.hpp"
#include "nika/protocols/chain/certificate.hpp"

namespace nika::chain {

struct Report {
  QuorumCertificate certificate{};
  IdentitySet senders{};
  Round view{};
  bool has_certificate = false;  // only the leader of a view looks at certificates; others keep none

  bool operator==(const Report&) const = default;
  static constexpr auto fields() {
    return std::tuple{field("certificate", &Report::certificate), field("senders", &Report::senders),
                      field("view", &Report::view), field("has_certificate", &Report::has_certificate)};
  }
};

class NewViews {
 public:
  static constexpr std::size_t kCapacity = 8;

  // A later view replaces an earlier one. Within a view the first message counts: the second of two twins comes too
  // late. False when there are too many different reports.
  [[nodiscard]] bool add(Identity from, Round view, const std::optional<QuorumCertificate>& reported) {
    const QuorumCertificate certificate = reported.value_or(QuorumCertificate{});
    for (std::size_t i = 0; i < reports_.size(); ++i) {
      Report& earlier = reports_[i];
      if (!earlier.senders.contains(from)) continue;
      if (earlier.view >= view) return true;
      earlier.senders.erase(from);
      if (earlier.senders.empty()) reports_.erase_at(i);
      break;
    }
    Report* at = reports_.begin();
    const auto is_before = [&](const Report& report) {
      return report.view < view || (report.view == view && report.certificate.block < certificate.block);
    };
    while (at != reports_.end() && is_before(*at)) ++at;
    if (at != reports_.end() && at->view == view && at->certificate == certificate) {
      at->senders.insert(from);
      return true;
    }
    const std::size_t position = static_cast<std::size_t>(at - reports_.begin());
    if (!reports_.push_back({certificate, IdentitySet::single(from), view, reported.has_value()})) return false;
    std::rotate(reports_.begin() + position, reports_.end() - 1, reports_.end());
    return true;
  }

  IdentitySet in_view(Round view) const {
    IdentitySet senders;
    for (const Report& report : reports_) {
      if (report.view == view) senders |= report.senders;
    }
    return senders;
  }
  // Sorted by view, so the last report of a view has its highest certificate.
  QuorumCertificate highest_in(Round view) const {
    QuorumCertificate highest;
    for (const Report& report : reports_) {
      if (report.view == view) highest = report.certificate;
    }
    return highest;
  }
  // The highest view that at least `count` identities have entered; 0 if there are not as many.
  Round entered_by(int count) const {
    IdentitySet senders;
    for (std::size_t i = reports_.size(); i > 0; --i) {
      senders |= reports_[i - 1].senders;
      if (senders.size() >= count) return reports_[i - 1].view;
    }
    return {};
  }
  void forget_before(Round view) {
    while (!reports_.empty() && reports_[0].view < view) reports_.erase_at(0);
  }
  const auto& reports() const { return reports_; }

  static constexpr auto fields() { return std::tuple{field("reports", &NewViews::reports_)}; }
  bool operator==(const NewViews&) const = default;

 private:
  BoundedVector<Report, kCapacity> reports_{};  // by view, then by certificate
};

}  // namespace nika::chain
