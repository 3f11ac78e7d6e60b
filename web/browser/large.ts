// Pages of long runs, made by hand, for measurements: a round-robin of votes among seven seats, with losses.
import { layout, plantedRun, type Planted } from '../src/planted_run';
import type { Page } from '../src/document';

export function largePage(count: number): Page {
  const events: Planted[] = [];
  let message = 0;
  for (let time = 1; events.length < count; time++) {
    events.push({ kind: 'network-round', time });
    for (let seat = 0; seat < 5; seat++) {
      events.push({ kind: 'voted', seat, time, round: time % 250, value: 256 });
      events.push({ kind: 'sent', seat, peer: seat, message: ++message, message_kind: 1, time, value: 256 });
      for (let to = 0; to < 5; to++) {
        const lost = (seat + to + time) % 7 === 0;
        events.push(
          lost
            ? { kind: 'lost', seat, peer: to, message, message_kind: 1, time, value: 256 }
            : { kind: 'delivered', seat: to, peer: seat, message, message_kind: 1, time, value: 256 },
        );
      }
    }
  }
  events.length = count;
  return {
    format: 'nika-page',
    version: 1,
    program: 'made by hand',
    title: `${count} events`,
    event_layout: layout,
    runs: [plantedRun(events)],
    finding: null,
    attack: null,
    automaton: null,
  };
}
