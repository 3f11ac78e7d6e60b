// A campaign on disk: one SQLite file, its tables described in docs/campaigns.md. It is written in transactions, so
// that what is there after a kill is what was there at some moment before. Every row bears a mark of what it says and
// one mark seals them all: what was changed by anybody else is noticed, and refused in one line.
#pragma once

#include <map>
#include <memory>

#include "nika/store/campaign_record.hpp"

namespace nika::store {

class Database;
inline constexpr int kCampaignFormat = 1;

// What has to be written since the last time. The lists are all that there is now; lessons are new ones.
struct CampaignProgress {
  std::vector<Stretch> stretches;
  std::vector<SightingRecord> sightings;
  std::vector<std::string> lessons;
  std::optional<SpeedSample> sample;
};

class CampaignFile {
 public:
  // Makes it, or goes on with what is there if that has the same plan (the words may differ) and was made by the same
  // program. `takes_other_program`: another one goes on, and is noted.
  static Result<CampaignFile> open(const std::string& path, const CampaignPlan& plan, const ProgramRecord& program,
                                   bool takes_other_program);

  CampaignFile(CampaignFile&&) noexcept;
  CampaignFile& operator=(CampaignFile&&) noexcept;
  ~CampaignFile();

  // As it was when it was opened; the memory is given to the caller.
  CampaignRecord take_found() { return std::move(found_); }
  unsigned session() const { return session_; }

  // Each is one transaction.
  Result<void> save(const CampaignProgress& progress);
  Result<void> save(const FindingRecord& finding);
  Result<void> save(const ConclusionRecord& conclusion);

 private:
  class Change;
  explicit CampaignFile(std::unique_ptr<Database> database);
  Result<void> make(const CampaignPlan& plan, const ProgramRecord& program);
  Result<void> go_on(const CampaignPlan& plan, const ProgramRecord& program, bool takes_other_program);
  template <class Body>
  Result<void> change(const Body& body);

  std::unique_ptr<Database> database_;
  std::map<std::string, std::string> marks_;  // of all sealed rows, by table and key
  CampaignRecord found_;
  std::size_t lesson_count_ = 0;
  unsigned session_ = 0;
};

Result<CampaignRecord> read_campaign(const std::string& path);

}  // namespace nika::store
