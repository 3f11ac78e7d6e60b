// Runs made by hand, for tests: events by name, put into the bytes that a document would hold.
import type { EventLayout, Run } from './document';

export const layout: EventLayout = {
  bytes: 18,
  first_own: 64,
  fields: [
    { name: 'kind', at: 0, bytes: 1 },
    { name: 'seat', at: 1, bytes: 1 },
    { name: 'peer', at: 2, bytes: 1 },
    { name: 'message_kind', at: 3, bytes: 1 },
    { name: 'message', at: 4, bytes: 4 },
    { name: 'time', at: 8, bytes: 4 },
    { name: 'round', at: 12, bytes: 1 },
    { name: 'height', at: 13, bytes: 1 },
    { name: 'value', at: 14, bytes: 2 },
    { name: 'other', at: 16, bytes: 2 },
  ],
  kinds: [
    'network-round',
    'tick',
    'step',
    'sent',
    'delivered',
    'lost',
    'late',
    'repeated',
    'changed',
    'expired',
    'crashed',
    'recovered',
    'entered-round',
    'proposed',
    'voted',
    'certified',
    'timed-out',
    'timeout-certified',
    'committed',
    'duplicate-vote',
    'equivocating-vote',
    'asked-for-block',
    'fetched-block',
  ],
};

export interface Planted {
  kind: string;
  seat?: number;
  peer?: number;
  message_kind?: number;
  message?: number;
  time?: number;
  round?: number;
  height?: number;
  value?: number;
  other?: number;
}

function bytesOf(events: Planted[], notes: string[]): string {
  let text = '';
  for (const event of events) {
    const known = layout.kinds.indexOf(event.kind);
    const kind = known >= 0 ? known : layout.first_own + notes.indexOf(event.kind);
    const bytes = new Array<number>(layout.bytes).fill(0);
    for (const field of layout.fields) {
      const value = field.name === 'kind' ? kind : Number(event[field.name as keyof Planted] ?? 0);
      for (let i = 0; i < field.bytes; i++) bytes[field.at + i] = Math.floor(value / 256 ** i) % 256;
    }
    text += String.fromCharCode(...bytes);
  }
  return btoa(text);
}

// Seats A, B, C, D and A', the twin of A.
export function plantedRun(events: Planted[], changes: Partial<Run> = {}): Run {
  const notes = changes.notes ?? ['closed'];
  return {
    title: 'planted',
    cast: 'made by hand',
    verdict: 'violated',
    verdict_text: 'agreement',
    unit: 'round',
    delta_ticks: 0,
    seats: ['A', 'B', 'C', 'D', "A'"].map((name, seat) => ({
      name,
      identity: seat === 4 ? 0 : seat,
      is_compromised: seat === 0 || seat === 4,
      is_client: false,
    })),
    kinds: ['proposal', 'vote'],
    notes,
    values: [
      { packed: 0, name: 'genesis' },
      { packed: 256, name: 'A1' },
      { packed: 288, name: "A'1" },
    ],
    setting: [],
    bands: [],
    changes: [],
    event_count: events.length,
    events: bytesOf(events, notes),
    ...changes,
  };
}
