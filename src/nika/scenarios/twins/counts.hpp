// How many things each step of the generator produces, exactly, however many: Table 1 without generating anything.
#pragma once

#include <gmpxx.h>

#include <optional>

#include "nika/base/result.hpp"
#include "nika/base/wide.hpp"
#include "nika/scenarios/twins/settings.hpp"

namespace nika::twins {

struct Counts {
  mpz_class step1;           // partitions, after the selection of step 1
  mpz_class step2;           // partitions × leaders, after the selection of step 2
  mpz_class orders;          // orders of delivery that each of them is combined with
  mpz_class configurations;  // step2 × orders: what a round can be
  mpz_class healings;        // ways in which the network heals after the rounds
  mpz_class replacement;     // step 3 for each assignment, before its selection
  mpz_class no_replacement;
  mpz_class statics;
  mpz_class scenarios;  // step 3 with the chosen assignment, after its selection
  mpz_class all;        // the same if no step selected anything: the whole space

  const mpz_class& step3(Assignment assignment) const;
};

Result<Counts> count(const Settings& settings);

mpz_class to_mpz(Wide value);
// Nothing if the value is 2^128 or more.
std::optional<Wide> to_wide(const mpz_class& value);
inline std::string to_text(const mpz_class& value) { return value.get_str(); }

// How many of `available` things a selection keeps.
mpz_class kept(const Selection& selection, const mpz_class& available);

}  // namespace nika::twins
