// The events of a stored run, read from their bytes. Where a field stands among the bytes is told by the document, so
// that the page cannot read another layout than the program wrote.
import type { EventLayout, Run } from './document';

export interface RunEvent {
  index: number;
  kind: number;
  seat: number;
  peer: number;
  message_kind: number;
  message: number;
  time: number;
  round: number;
  height: number;
  value: number;
  other: number;
}

const fieldNames = [
  'kind',
  'seat',
  'peer',
  'message_kind',
  'message',
  'time',
  'round',
  'height',
  'value',
  'other',
] as const;

export function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

export function eventsOf(run: Run, layout: EventLayout): RunEvent[] {
  const bytes = bytesOf(run.events);
  if (bytes.length !== run.event_count * layout.bytes) {
    throw new Error(`read ${bytes.length} bytes of events, expected ${run.event_count} times ${layout.bytes}`);
  }
  const places = fieldNames.map((name) => {
    const field = layout.fields.find((f) => f.name === name);
    if (field === undefined) throw new Error(`the document does not say where "${name}" stands in an event`);
    return field;
  });
  const read = (base: number, field: number): number => {
    const place = places[field]!;
    let number = 0;
    for (let i = place.bytes - 1; i >= 0; i--) number = number * 256 + bytes[base + place.at + i]!;
    return number;
  };
  const events: RunEvent[] = [];
  for (let index = 0; index < run.event_count; index++) {
    const base = index * layout.bytes;
    events.push({
      index,
      kind: read(base, 0),
      seat: read(base, 1),
      peer: read(base, 2),
      message_kind: read(base, 3),
      message: read(base, 4),
      time: read(base, 5),
      round: read(base, 6),
      height: read(base, 7),
      value: read(base, 8),
      other: read(base, 9),
    });
  }
  return events;
}
