// What the trace tells of a seat up to an event. The stored trace holds events and no states: what a protocol keeps
// inside, such as its lock, is in here only where an event or the ends of a loop tell it.
import type { Story } from './story';

export interface SeatState {
  isDown: boolean;
  round: number | null;
  proposed: string;
  voted: string;
  certified: string;
  timedOut: number | null;
  committed: string[];
  received: number;
  sent: number;
  notes: string[];
}

const mostNotes = 4;

function beginning(): SeatState {
  return {
    isDown: false,
    round: null,
    proposed: '',
    voted: '',
    certified: '',
    timedOut: null,
    committed: [],
    received: 0,
    sent: 0,
    notes: [],
  };
}

function advance(state: SeatState, story: Story, index: number): void {
  const event = story.events[index]!;
  const name = story.kindName(event.kind);
  const value = story.valueName(event.value);
  switch (name) {
    case 'crashed':
      state.isDown = true;
      break;
    case 'recovered':
      state.isDown = false;
      break;
    case 'entered-round':
      state.round = event.round;
      break;
    case 'proposed':
      state.proposed = value;
      break;
    case 'voted':
      state.voted = `${value} in round ${event.round}`;
      break;
    case 'certified':
      state.certified = `${value} in round ${event.round}`;
      break;
    case 'timed-out':
      state.timedOut = event.round;
      break;
    case 'committed':
      state.committed.push(`${value} @${event.height}`);
      break;
    case 'delivered':
      state.received++;
      break;
    case 'sent':
      state.sent++;
      break;
    case 'lost':
    case 'late':
    case 'repeated':
    case 'changed':
    case 'expired':
      break;
    default:
      state.notes.push(`${name} ${value}`);
      if (state.notes.length > mostNotes) state.notes.shift();
  }
}

// From the beginning of the run, whatever was asked before.
export function stateOf(story: Story, seat: number, upTo: number): SeatState {
  const state = beginning();
  for (const index of story.eventsOf[seat] ?? []) if (index <= upTo) advance(state, story, index);
  return state;
}

// The same, going on from where it was asked last, since people mostly step forward.
export class SeatStates {
  private readonly last = new Map<number, { state: SeatState; upTo: number; next: number }>();

  constructor(private readonly story: Story) {}

  rowsAt(seat: number, upTo: number): [string, string][] {
    let known = this.last.get(seat);
    if (known === undefined || known.upTo > upTo) known = { state: beginning(), upTo: -1, next: 0 };
    const events = this.story.eventsOf[seat] ?? [];
    while (known.next < events.length && events[known.next]! <= upTo)
      advance(known.state, this.story, events[known.next++]!);
    known.upTo = upTo;
    this.last.set(seat, known);
    return rowsOfState(known.state);
  }
}

export function rowsOfState(state: SeatState): [string, string][] {
  const rows: [string, string][] = [];
  const add = (name: string, value: string | number | null): void => {
    if (value !== null && value !== '') rows.push([name, String(value)]);
  };
  if (state.isDown) rows.push(['is', 'down']);
  add('in round', state.round);
  add('proposed last', state.proposed);
  add('voted last for', state.voted);
  add('certificate seen', state.certified);
  add('timed out of', state.timedOut);
  if (state.committed.length > 0) {
    const shown = state.committed.slice(-6).join(', ');
    add('committed', state.committed.length > 6 ? `${state.committed.length} values, last ${shown}` : shown);
  }
  if (state.notes.length > 0) add('noted', state.notes.join(', '));
  add('messages', `${state.received} received, ${state.sent} sent`);
  return rows;
}
