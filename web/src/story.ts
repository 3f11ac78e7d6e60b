// A stored run as something that can be drawn: lanes, bands of time, turns of seats, and messages from turn to turn.
// Pure: the same run gives the same story. Nothing is made up: what the trace does not tell is not in it.
import type { Band, Change, EventLayout, Run } from './document';
import { eventsOf as eventsIn, type RunEvent } from './events';

export type Fate = 'delivered' | 'late' | 'again' | 'lost' | 'waiting';
export const fates: readonly Fate[] = ['delivered', 'late', 'again', 'lost', 'waiting'];

export interface Lane {
  seat: number;
  name: string;
  identity: number;
  isCompromised: boolean;
  isClient: boolean;
  twinOfLeft: boolean; // the lane to the left has the same key
}

// One message on its way to one seat.
export interface Arrow {
  message: number;
  messageKind: number;
  from: number;
  to: number;
  sent: number; // event; -1 if the trace does not hold its sending
  end: number; // the event that decided: delivered, lost, or put off and never seen again
  fate: Fate;
  change: Change | null;
  fromTurn: number; // -1 if its sending is not told
  toTurn: number; // -1 if it never arrives
}

// What one seat does at one place of the drawing: some deliveries, then what they brought about.
export interface Turn {
  index: number;
  seat: number;
  band: number;
  row: number;
  events: number[];
  deeds: number[]; // those that are worth telling
  acts: boolean; // more than deliveries
}

export interface StoryBand {
  time: number;
  label: string;
  info: Band | null;
  firstEvent: number;
  lastEvent: number;
  firstRow: number;
  lastRow: number;
}

export interface Down {
  seat: number;
  fromEvent: number;
  toEvent: number; // the last event if it never recovers
}

export interface Story {
  run: Run;
  events: RunEvent[];
  lanes: Lane[];
  laneOf: number[]; // by seat
  bands: StoryBand[];
  turns: Turn[];
  arrows: Arrow[];
  downs: Down[];
  rowCount: number;
  turnOf: Int32Array; // by event; -1: of no seat
  bandOf: Int32Array; // by event
  arrowOf: Int32Array; // by event: the arrow that it ends, or -1
  eventsOf: number[][]; // by seat: what it does or gets, in the order of the trace
  kindName: (kind: number) => string;
  valueName: (packed: number) => string;
}

const marks = new Set(['network-round', 'tick', 'step']);
const begins = new Set(['delivered', 'expired', 'crashed', 'recovered']);
const ofNetwork = new Set(['sent', 'delivered', 'lost', 'late', 'repeated', 'changed', ...marks]);

// Twins stand beside the node whose key they share, clients apart at the end.
export function lanesOf(run: Run): Lane[] {
  const order = run.seats.map((_, seat) => seat);
  const rank = (seat: number): number => {
    const info = run.seats[seat]!;
    return info.is_client ? 1000 + seat : info.identity * 20;
  };
  order.sort((a, b) => rank(a) - rank(b) || a - b);
  return order.map((seat, i) => {
    const info = run.seats[seat]!;
    const left = i > 0 ? run.seats[order[i - 1]!]! : null;
    return {
      seat,
      name: info.name,
      identity: info.identity,
      isCompromised: info.is_compromised,
      isClient: info.is_client,
      twinOfLeft: left !== null && !left.is_client && !info.is_client && left.identity === info.identity,
    };
  });
}

export function kindNames(run: Run, layout: EventLayout): (kind: number) => string {
  return (kind) =>
    (kind >= layout.first_own ? run.notes[kind - layout.first_own] : layout.kinds[kind]) ?? `event ${kind}`;
}

function bandsOf(run: Run, events: RunEvent[]): { bands: StoryBand[]; bandOf: Int32Array } {
  const infos = new Map(run.bands.map((band) => [band.time, band]));
  const bands: StoryBand[] = [];
  const bandOf = new Int32Array(events.length);
  for (const event of events) {
    // What replicas do when they start belongs to the first round.
    const time = run.unit === 'round' ? Math.max(event.time, 1) : event.time;
    let band = bands[bands.length - 1];
    if (band === undefined || band.time !== time) {
      const info = infos.get(time) ?? null;
      const ticks = `${run.delta_ticks > 0 ? time / run.delta_ticks : time}\u0394`;
      const label = info?.label ?? (run.unit === 'tick' ? ticks : `${run.unit} ${time}`);
      band = { time, label, info, firstEvent: event.index, lastEvent: event.index, firstRow: 0, lastRow: 0 };
      bands.push(band);
    }
    band.lastEvent = event.index;
    bandOf[event.index] = bands.length - 1;
  }
  return { bands, bandOf };
}

const key = (message: number, to: number): number => message * 32 + to;

// Of each message and receiver what became of it. In a timed run every message takes time: late is what takes longer
// than the usual delay.
function arrowsOf(run: Run, events: RunEvent[], nameOf: (kind: number) => string): Arrow[] {
  const arrows: Arrow[] = [];
  const sent = new Map<number, number>();
  const changes = new Map<number, Change>();
  const putOff = new Map<number, Arrow>();
  const arrivals = new Map<number, number>();
  const changeOf = new Map(run.changes.map((change) => [change.event, change]));
  const add = (event: RunEvent, from: number, to: number, fate: Fate): Arrow => {
    const arrow: Arrow = {
      message: event.message,
      messageKind: event.message_kind,
      from,
      to,
      sent: event.message === 0 ? -1 : (sent.get(event.message) ?? -1),
      end: event.index,
      fate,
      change: changes.get(key(event.message, to)) ?? null,
      fromTurn: -1,
      toTurn: -1,
    };
    arrows.push(arrow);
    return arrow;
  };
  const deliver = (event: RunEvent): void => {
    const id = key(event.message, event.seat);
    const waiting = event.message === 0 ? undefined : putOff.get(id);
    const before = event.message === 0 ? 0 : (arrivals.get(id) ?? 0);
    arrivals.set(id, before + 1);
    if (waiting !== undefined) {
      const took = event.time - events[waiting.end]!.time;
      waiting.fate = run.unit === 'tick' && took <= run.delta_ticks ? 'delivered' : 'late';
      waiting.end = event.index;
      putOff.delete(id);
    } else {
      add(event, event.peer, event.seat, before > 0 ? 'again' : 'delivered');
    }
  };
  for (const event of events) {
    switch (nameOf(event.kind)) {
      case 'sent':
        sent.set(event.message, event.index);
        break;
      case 'changed': {
        const change = changeOf.get(event.index);
        if (change !== undefined) changes.set(key(event.message, event.peer), change);
        break;
      }
      case 'lost':
        add(event, event.seat, event.peer, 'lost');
        break;
      case 'late':
        if (!putOff.has(key(event.message, event.peer)))
          putOff.set(key(event.message, event.peer), add(event, event.seat, event.peer, 'waiting'));
        break;
      case 'delivered':
        deliver(event);
        break;
      default:
    }
  }
  return arrows;
}

// A turn begins with what reaches a seat, and holds what the seat does of it before anything else happens. Deliveries
// that bring nothing about are drawn where the seat acts next in the same band: a quorum arrives at one point.
function turnsOf(
  events: RunEvent[],
  bandOf: Int32Array,
  nameOf: (kind: number) => string,
): { turns: Turn[]; turnOf: Int32Array } {
  const turns: Turn[] = [];
  const turnOf = new Int32Array(events.length).fill(-1);
  const open = new Map<number, Turn>(); // by seat: only deliveries so far
  let current: Turn | null = null;
  for (const event of events) {
    const name = nameOf(event.kind);
    if (marks.has(name)) {
      current = null;
      continue;
    }
    // What becomes of a message is told where it was sent or arrives.
    if (name === 'lost' || name === 'late' || name === 'repeated' || name === 'changed') continue;
    const band = bandOf[event.index]!;
    if (begins.has(name) || current === null || current.seat !== event.seat || current.band !== band) {
      const waiting = open.get(event.seat);
      if (waiting !== undefined && waiting.band === band && !waiting.acts) {
        current = waiting;
      } else {
        current = { index: turns.length, seat: event.seat, band, row: -1, events: [], deeds: [], acts: false };
        turns.push(current);
        open.set(event.seat, current);
      }
    }
    current.events.push(event.index);
    turnOf[event.index] = current.index;
    if (name !== 'delivered') current.acts = true;
    if (!ofNetwork.has(name)) current.deeds.push(event.index);
  }
  return { turns, turnOf };
}

// Rows in the order of cause and effect: a turn stands below the seat's turn before it and below every sending of what
// it gets. A turn's sendings come with its last events, so that turns in the order of these are never too early.
function assignRows(story: Story): void {
  const lastRow = story.run.seats.map(() => -1);
  const byEnd = story.turns.map((_, i) => i);
  const endOf = (turn: number): number => story.turns[turn]!.events[story.turns[turn]!.events.length - 1]!;
  byEnd.sort((a, b) => endOf(a) - endOf(b));
  let band = -1;
  let next = 0;
  for (const index of byEnd) {
    const turn = story.turns[index]!;
    while (band < turn.band) {
      if (band >= 0) story.bands[band]!.lastRow = Math.max(next - 1, story.bands[band]!.firstRow);
      band++;
      if (band > 0) next = Math.max(next, story.bands[band - 1]!.lastRow + 1);
      story.bands[band]!.firstRow = next;
    }
    let row = Math.max(lastRow[turn.seat]! + 1, story.bands[band]!.firstRow);
    for (const event of turn.events) {
      const arrow = story.arrowOf[event]! >= 0 ? story.arrows[story.arrowOf[event]!]! : null;
      if (arrow === null || arrow.from === arrow.to || arrow.fromTurn < 0) continue;
      row = Math.max(row, story.turns[arrow.fromTurn]!.row + 1);
    }
    turn.row = row;
    lastRow[turn.seat] = row;
    next = Math.max(next, row + 1);
  }
  while (band < story.bands.length) {
    if (band >= 0) story.bands[band]!.lastRow = Math.max(next - 1, story.bands[band]!.firstRow);
    next = Math.max(next, band >= 0 ? story.bands[band]!.lastRow + 1 : 0);
    band++;
    if (band < story.bands.length) story.bands[band]!.firstRow = next;
  }
  story.rowCount = Math.max(next, 1);
}

function downsOf(story: Story): Down[] {
  const downs: Down[] = [];
  const open = new Map<number, Down>();
  for (const event of story.events) {
    const name = story.kindName(event.kind);
    if (name === 'crashed') {
      const down = { seat: event.seat, fromEvent: event.index, toEvent: story.events.length - 1 };
      downs.push(down);
      open.set(event.seat, down);
    } else if (name === 'recovered') {
      const down = open.get(event.seat);
      if (down !== undefined) down.toEvent = event.index;
      open.delete(event.seat);
    }
  }
  return downs;
}

export function storyOf(run: Run, layout: EventLayout): Story {
  const events = eventsIn(run, layout);
  const kindName = kindNames(run, layout);
  const values = new Map(run.values.map((value) => [value.packed, value.name]));
  const lanes = lanesOf(run);
  const laneOf: number[] = [];
  lanes.forEach((lane, i) => (laneOf[lane.seat] = i));
  const { bands, bandOf } = bandsOf(run, events);
  const arrows = arrowsOf(run, events, kindName);
  const { turns, turnOf } = turnsOf(events, bandOf, kindName);
  const arrowOf = new Int32Array(events.length).fill(-1);
  arrows.forEach((arrow, i) => {
    arrowOf[arrow.end] = i;
    arrow.fromTurn = arrow.sent >= 0 ? turnOf[arrow.sent]! : -1;
    arrow.toTurn = arrow.fate === 'lost' || arrow.fate === 'waiting' ? -1 : turnOf[arrow.end]!;
  });
  const eventsOf: number[][] = run.seats.map(() => []);
  for (const event of events) if (!marks.has(kindName(event.kind))) eventsOf[event.seat]?.push(event.index);
  const story: Story = {
    run,
    events,
    lanes,
    laneOf,
    bands,
    turns,
    arrows,
    turnOf,
    bandOf,
    arrowOf,
    eventsOf,
    kindName,
    downs: [],
    rowCount: 0,
    valueName: (packed) => values.get(packed) ?? `#${packed}`,
  };
  assignRows(story);
  story.downs = downsOf(story);
  return story;
}
