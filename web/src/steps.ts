// Where stepping goes, and which step of an attack's source a position belongs to. Pure.
import type { AttackStep } from './document';
import type { Story } from './story';

export function nextBand(story: Story, position: number): number {
  const band = story.bandOf[position] ?? 0;
  const here = story.bands[band];
  if (here !== undefined && position < here.lastEvent) return here.lastEvent;
  return story.bands[band + 1]?.lastEvent ?? story.events.length - 1;
}

export function previousBand(story: Story, position: number): number {
  const band = story.bandOf[position] ?? 0;
  return band === 0 ? 0 : story.bands[band - 1]!.lastEvent;
}

const quiet = new Set([
  'network-round',
  'tick',
  'step',
  'sent',
  'delivered',
  'lost',
  'late',
  'repeated',
  'entered-round',
]);

// The next or the previous event that is more than an ordinary message.
export function nextDeed(story: Story, position: number, direction: 1 | -1): number {
  for (let i = position + direction; i >= 0 && i < story.events.length; i += direction) {
    if (!quiet.has(story.kindName(story.events[i]!.kind))) return i;
  }
  return direction === 1 ? story.events.length - 1 : 0;
}

// Of the steps that are placed, the last one that has begun; -1 if none has.
export function stepAt(steps: AttackStep[], time: number): number {
  let found = -1;
  steps.forEach((step, i) => {
    if (step.is_placed && step.first <= time) found = i;
  });
  return found;
}

// The last event of a step's times, where it has happened; nothing if the run has no such time.
export function endOfStep(story: Story, step: AttackStep): number | null {
  if (!step.is_placed) return null;
  let end: number | null = null;
  for (const band of story.bands) if (band.time >= step.first && band.time <= step.last) end = band.lastEvent;
  return end;
}
