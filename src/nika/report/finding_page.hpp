// The page of a finding: its run, what it breaks, its loop, and, where it is an attack's, the steps of the source.
// Made from what is stored; runs nothing.
#pragma once

#include "nika/report/page.hpp"
#include "nika/report/trace_text.hpp"
#include "nika/store/attack.hpp"
#include "nika/store/finding.hpp"

namespace nika::report {

// `leaves` name what can be lied about, as far as the protocol is known; a stored run does not tell.
Page page_of(const store::Finding& finding, std::span<const KindLeaves> leaves = {});

PageAttack attack_page_of(const store::Attack& attack);

}  // namespace nika::report
