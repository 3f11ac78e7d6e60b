#include "nika/campaign/byzzfuzz_tables.hpp"

#include <array>

namespace nika::byzzfuzz {
namespace {

constexpr Scope kSmall = Scope::kSmall;
constexpr Scope kAny = Scope::kAny;

constexpr std::array<TableRow, 15> kPbft{{{Scope::kBaseline, 2, 2, {41, 0, 0, 0, 41}},
                                          {kSmall, 0, 1, {34, 0, 0, 0, 34}},
                                          {kSmall, 0, 2, {53, 0, 0, 0, 53}},
                                          {kSmall, 1, 0, {1, 4, 0, 2, 4}},
                                          {kAny, 1, 0, {1, 4, 0, 2, 4}},
                                          {kSmall, 1, 1, {32, 2, 0, 4, 36}},
                                          {kAny, 1, 1, {30, 2, 0, 2, 31}},
                                          {kSmall, 1, 2, {58, 2, 0, 3, 61}},
                                          {kAny, 1, 2, {57, 2, 0, 4, 61}},
                                          {kSmall, 2, 0, {3, 6, 0, 4, 7}},
                                          {kAny, 2, 0, {3, 6, 0, 4, 7}},
                                          {kSmall, 2, 1, {35, 6, 0, 4, 40}},
                                          {kAny, 2, 1, {41, 6, 0, 1, 45}},
                                          {kSmall, 2, 2, {53, 3, 0, 5, 59}},
                                          {kAny, 2, 2, {66, 3, 0, 3, 69}}}};

constexpr std::array<TableRow, 11> kTendermint{{{Scope::kBaseline, 2, 1, {45, 0, 0, 0, 45}},
                                                {kSmall, 0, 1, {48, 0, 0, 0, 48}},
                                                {kSmall, 0, 2, {94, 0, 0, 0, 94}},
                                                {kSmall, 1, 0, {0, 0, 0, 0, 0}},
                                                {kAny, 1, 0, {0, 0, 0, 0, 0}},
                                                {kSmall, 1, 1, {53, 0, 0, 0, 53}},
                                                {kAny, 1, 1, {67, 0, 0, 0, 67}},
                                                {kSmall, 2, 0, {0, 0, 0, 0, 0}},
                                                {kAny, 2, 0, {0, 0, 0, 0, 0}},
                                                {kSmall, 2, 1, {38, 0, 0, 0, 38}},
                                                {kAny, 2, 1, {69, 0, 0, 0, 69}}}};

constexpr std::array<TableRow, 11> kRipple{{{Scope::kBaseline, 1, 2, {2, 0, 0, 0, 2}},
                                            {kSmall, 0, 1, {11, 0, 0, 0, 11}},
                                            {kSmall, 0, 2, {20, 0, 0, 0, 20}},
                                            {kSmall, 1, 0, {9, 0, 0, 1, 10}},
                                            {kAny, 1, 0, {21, 0, 0, 0, 21}},
                                            {kSmall, 1, 1, {27, 0, 0, 0, 27}},
                                            {kAny, 1, 1, {20, 0, 0, 0, 20}},
                                            {kSmall, 1, 2, {19, 0, 0, 1, 20}},
                                            {kAny, 1, 2, {23, 0, 0, 0, 23}},
                                            {kSmall, 2, 0, {31, 0, 0, 0, 31}},
                                            {kAny, 2, 0, {25, 0, 0, 0, 25}}}};

// p0 to p6 of Table 5 are A to G. Its partitions withhold, and its faults are in rounds 2 to 7: the proposals and
// validations of three ledgers.
constexpr std::array<Table, 3> kTables{
    {{2, "pbft", "cao", "", 4, 8, 200, false, kPbft},
     {3, "tendermint", "", "no-retransmission", 4, 10, 200, false, kTendermint},
     {5, "xrp-lcp", "", "unchecked-sequence", 7, 6, 300, true, kRipple, "A-D:A-E,E-G:C-G", "D", 2}}};

}  // namespace

std::span<const Table> tables() { return kTables; }

}  // namespace nika::byzzfuzz
