// Made by `nika report --types` from src/nika/report/page.hpp; a test compares the two. Do not edit.

export const pageVersion = 1;

export interface EventField {
  name: string;
  at: number;
  bytes: number;
}

export interface EventLayout {
  bytes: number;
  first_own: number;
  fields: EventField[];
  kinds: string[];
}

export interface SeatInfo {
  name: string;
  identity: number;
  is_compromised: boolean;
  is_client: boolean;
}

export interface ValueName {
  packed: number;
  name: string;
}

export interface Band {
  time: number;
  label: string;
  heals: boolean;
  leaders: number[];
  blocks: number[];
  network: string;
  choices: string[];
  note: string;
}

export interface Change {
  event: number;
  field: string;
  before: string;
  after: string;
}

export interface Run {
  title: string;
  cast: string;
  verdict: string;
  verdict_text: string;
  unit: string;
  delta_ticks: number;
  seats: SeatInfo[];
  kinds: string[];
  notes: string[];
  values: ValueName[];
  setting: string[];
  bands: Band[];
  changes: Change[];
  event_count: number;
  events: string;
}

export interface Commit {
  height: number;
  value: string;
}

export interface Claim {
  seat: string;
  value: string;
  history: Commit[];
}

export interface Holding {
  view: number;
  prepared: string;
  locked: string;
  executed: string;
}

export interface LoopEnds {
  seat: string;
  before: Holding;
  after: Holding;
}

export interface Loop {
  is_proved: boolean;
  is_shown: boolean;
  before_first: number;
  last: number;
  text: string;
  repaired: string;
  assumptions: string[];
  waiting: string[];
  ends: LoopEnds[];
}

export interface FindingInfo {
  property: string;
  kind: string;
  why: string;
  since: number;
  height: number;
  seats: string[];
  claims: Claim[];
  shrinking: string;
  mark: string;
  loop: Loop | null;
}

export interface AttackStep {
  text: string;
  is_placed: boolean;
  first: number;
  last: number;
}

export interface AttackInfo {
  source: string;
  about: string;
  repair: string;
  steps: AttackStep[];
}

export interface AutomatonRule {
  id: string;
  source: number;
  target: number;
  guard: string;
  updates: string[];
}

export interface Counter {
  name: string;
  value: string;
}

export interface PathStep {
  rule: number;
  count: string;
  is_in_loop: boolean;
  unlocked: string[];
  after: Counter[];
}

export interface AutomatonInfo {
  property: string;
  verdict: string;
  caption: string[];
  locations: string[];
  shared: string[];
  rules: AutomatonRule[];
  parameters: Counter[];
  initial: Counter[];
  steps: PathStep[];
}

export interface Page {
  format: string;
  version: number;
  program: string;
  title: string;
  event_layout: EventLayout;
  runs: Run[];
  finding: FindingInfo | null;
  attack: AttackInfo | null;
  automaton: AutomatonInfo | null;
}
