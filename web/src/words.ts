// Events in words, as `nika replay --trace` and `nika show` tell them.
import type { RunEvent } from './events';
import type { Arrow, Story } from './story';

export const genesis = 'genesis';

export function seatName(story: Story, seat: number): string {
  return story.run.seats[seat]?.name ?? `seat ${seat}`;
}

export function messageName(story: Story, kind: number): string {
  return story.run.kinds[kind] ?? 'message';
}

// What stands at a lane: a word and what it is about. Deeds with the same word may share a line.
export function deedParts(story: Story, event: RunEvent): [string, string] {
  const value = story.valueName(event.value);
  switch (story.kindName(event.kind)) {
    case 'entered-round':
      return ['enters', String(event.round)];
    case 'proposed':
      return ['proposes', event.other === 0 ? value : `${value} on ${story.valueName(event.other)}`];
    case 'voted':
      return ['votes', value];
    case 'certified':
      return ['quorum', value];
    case 'timed-out':
      return ['times out', String(event.round)];
    case 'timeout-certified':
      return ['timeout cert.', String(event.round)];
    case 'committed':
      return ['commits', `${value} @${event.height}`];
    case 'duplicate-vote':
      return ['rejects again', value];
    case 'equivocating-vote':
      return ['rejects 2nd vote', value];
    case 'asked-for-block':
      return ['asks for', value];
    case 'fetched-block':
      return ['fetches', value];
    case 'expired':
      return ['timer runs out', ''];
    case 'crashed':
      return ['crashes', ''];
    case 'recovered':
      return ['recovers', ''];
    default:
      return [story.kindName(event.kind), value === genesis ? '' : value];
  }
}

export function deedOf(story: Story, event: RunEvent): string {
  return deedParts(story, event)
    .filter((part) => part !== '')
    .join(' ');
}

const fateWords: Record<Arrow['fate'], string> = {
  delivered: 'arrives',
  late: 'arrives late',
  again: 'arrives a second time',
  lost: 'is lost',
  waiting: 'is put off, and has not arrived when the trace ends',
};
export const fateNames: Record<Arrow['fate'], string> = {
  delivered: 'delivered',
  late: 'late',
  again: 'duplicated',
  lost: 'lost',
  waiting: 'not arrived by the end',
};

export function messageSentence(story: Story, arrow: Arrow): string {
  const what = arrow.message === 0 ? 'what a liar says' : `${messageName(story, arrow.messageKind)} #${arrow.message}`;
  const lie = arrow.change === null ? '' : `; the liar changed ${changeText(arrow)}`;
  return `${what} from ${seatName(story, arrow.from)} to ${seatName(story, arrow.to)} ${fateWords[arrow.fate]}${lie}`;
}

export function changeText(arrow: Arrow): string {
  const change = arrow.change;
  return change === null ? '' : `${change.field}: ${change.before} \u2192 ${change.after}`;
}

// One sentence for any event.
export function sentenceOf(story: Story, event: RunEvent): string {
  const who = seatName(story, event.seat);
  const name = story.kindName(event.kind);
  const value = story.valueName(event.value);
  const arrow = story.arrowOf[event.index]! >= 0 ? story.arrows[story.arrowOf[event.index]!]! : null;
  switch (name) {
    case 'network-round':
    case 'tick':
    case 'step':
      return `${story.bands[story.bandOf[event.index]!]?.label ?? name} begins`;
    case 'sent': {
      const to = event.peer === event.seat ? '' : ` to ${seatName(story, event.peer)}`;
      return `${who} sends ${messageName(story, event.message_kind)} #${event.message}${to}`;
    }
    case 'late':
      return (
        `${messageName(story, event.message_kind)} #${event.message} from ${who} to ` +
        `${seatName(story, event.peer)} is put off`
      );
    case 'repeated':
      return (
        `${messageName(story, event.message_kind)} #${event.message} from ${who} to ` +
        `${seatName(story, event.peer)} will arrive a second time`
      );
    case 'changed': {
      const change = story.run.changes.find((c) => c.event === event.index);
      const what =
        change === undefined ? 'a field' : `${change.field}, which said ${change.before}, to ${change.after}`;
      return (
        `the liar ${who} changes in ${messageName(story, event.message_kind)} #${event.message} to ` +
        `${seatName(story, event.peer)} ${what}`
      );
    }
    case 'delivered':
    case 'lost':
      return arrow === null ? `${name} #${event.message}` : messageSentence(story, arrow);
    case 'entered-round':
      return `${who} enters round ${event.round}`;
    case 'proposed':
      return `${who} proposes ${value} on ${story.valueName(event.other)}`;
    case 'voted':
      return `${who} votes for ${value} in round ${event.round}`;
    case 'certified':
      return `${who} sees a quorum of votes for ${value} in round ${event.round}`;
    case 'timed-out':
      return `${who} gives up on round ${event.round}`;
    case 'timeout-certified':
      return `${who} sees a quorum of timeouts for round ${event.round}`;
    case 'committed':
      return `${who} commits ${value} at height ${event.height}`;
    case 'equivocating-vote':
      return `${who} rejects a vote for ${value} after one for ${story.valueName(event.other)}`;
    default:
      return `${who}: ${deedOf(story, event)}`;
  }
}

// The fields of an event, by name, as the trace holds them.
export function fieldsOf(story: Story, event: RunEvent): [string, string][] {
  const name = story.kindName(event.kind);
  const fields: [string, string][] = [
    ['event', `${event.index + 1} of ${story.events.length}`],
    ['kind', name],
  ];
  const band = story.bands[story.bandOf[event.index]!];
  if (band !== undefined) fields.push(['when', band.label]);
  if (name === 'network-round' || name === 'tick' || name === 'step') return fields;
  fields.push(['seat', seatName(story, event.seat)]);
  if (event.message > 0) {
    fields.push(['message', `#${event.message}, ${messageName(story, event.message_kind)}`]);
    if (event.peer !== event.seat) fields.push(['other seat', seatName(story, event.peer)]);
  }
  fields.push(['round', String(event.round)]);
  if (name === 'changed') return fields;
  if (event.height > 0) fields.push(['height', String(event.height)]);
  if (event.value > 0 || event.message > 0) fields.push(['value', story.valueName(event.value)]);
  if (event.other > 0) fields.push(['other value', story.valueName(event.other)]);
  return fields;
}
