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

export function stateOf(story: Story, seat: number, upTo: number): SeatState {
  const state: SeatState = {
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
  for (const index of story.eventsOf[seat] ?? []) {
    if (index > upTo) break;
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
        if (state.notes.length < 20) state.notes.push(`${name} ${value}`);
    }
  }
  return state;
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
  if (state.notes.length > 0) add('noted', state.notes.slice(-4).join(', '));
  add('messages', `${state.received} received, ${state.sent} sent`);
  return rows;
}
