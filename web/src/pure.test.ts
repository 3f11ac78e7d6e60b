import { describe, expect, test } from 'vitest';
import type { FindingInfo } from './document';
import { labelsOf, layoutOf, rowAt, shortened, wrapped, yOfEvent } from './layout';
import { fragmentOf, placeOf } from './link';
import { layout, plantedRun } from './planted_run';
import { rowsOfState, SeatStates, stateOf } from './state';
import { endOfStep, nextBand, nextDeed, previousBand, stepAt } from './steps';
import { storyOf } from './story';
import { treeOf } from './tree';
import { countersAfter } from './automaton';
import { drawnRules, layoutAutomaton } from './automaton_layout';
import { fileName } from './export';

const events = [
  { kind: 'proposed', seat: 0, value: 256 },
  { kind: 'sent', seat: 0, peer: 0, message: 1, value: 256 },
  { kind: 'network-round', time: 1 },
  { kind: 'delivered', seat: 1, peer: 0, message: 1, time: 1 },
  { kind: 'voted', seat: 1, time: 1, value: 256, round: 1 },
  { kind: 'network-round', time: 2 },
  { kind: 'committed', seat: 1, time: 2, value: 256, height: 1 },
  { kind: 'committed', seat: 1, time: 2, value: 256, height: 1 },
];
const story = storyOf(plantedRun(events), layout);

describe('permalinks', () => {
  test('come back as they went out', () => {
    for (const run of [0, 1])
      for (const event of [0, 7, 99999]) expect(placeOf(fragmentOf(run, event))).toEqual({ run, event });
    expect(fragmentOf(0, 41)).toBe('#event=42');
    expect(placeOf('')).toEqual({ run: 0, event: null });
    expect(placeOf('#event=<script>&run=-1')).toEqual({ run: 0, event: null });
  });
});

describe('stepping', () => {
  test('goes by round and by deed', () => {
    expect(nextBand(story, 0)).toBe(4);
    expect(nextBand(story, 4)).toBe(7);
    expect(nextBand(story, 7)).toBe(7);
    expect(previousBand(story, 6)).toBe(4);
    expect(previousBand(story, 3)).toBe(0);
    expect(nextDeed(story, 0, 1)).toBe(4);
    expect(nextDeed(story, 4, -1)).toBe(0);
    expect(nextDeed(story, 7, 1)).toBe(7);
  });
  test('captions follow the position', () => {
    const steps = [
      [1, 1],
      [0, 0],
      [2, 9],
    ].map(([first, last], i) => ({ text: `step ${i}`, is_placed: i !== 1, first: first!, last: last! }));
    expect([0, 1, 2, 5].map((time) => stepAt(steps, time))).toEqual([-1, 0, 2, 2]);
    expect(steps.map((step) => endOfStep(story, step))).toEqual([4, null, 7]);
  });
});

describe('labels', () => {
  test('tell each deed once', () => {
    const commits = story.turns.find((turn) => turn.deeds.includes(6))!;
    expect(labelsOf(story, commits)).toEqual([{ text: 'commits A1 @1', deed: 'committed' }]);
    expect([30, 14, 5].map((most) => shortened('proposes c1.1 on c2.1', most))).toEqual([
      'proposes c1.1 on c2.1',
      'proposes c1.1',
      'prop\u2026',
    ]);
    expect(shortened('votes c1.1, c2.1', 13)).toBe('votes c1.1\u2026');
    expect(wrapped('one two three', 7, 3)).toEqual(['one two', 'three']);
    expect(wrapped('one two three', 3, 2)).toEqual(['one', 'tw\u2026']);
  });
});

describe('the layout', () => {
  test('puts every event inside of its band, and rows in order', () => {
    const drawn = layoutOf(story);
    for (const event of story.events) {
      const band = story.bandOf[event.index]!;
      expect(yOfEvent(drawn, event.index)).toBeGreaterThanOrEqual(drawn.bandY[band]!);
      expect(yOfEvent(drawn, event.index)).toBeLessThan(drawn.bandY[band + 1]!);
    }
    for (let row = 0; row < story.rowCount; row++) expect(rowAt(drawn, drawn.rowY[row]!)).toBe(row);
    expect(rowAt(drawn, -5)).toBe(0);
    expect(rowAt(drawn, 1e9)).toBe(story.rowCount - 1);
  });
});

describe('what a seat is known to have done', () => {
  test('is what the events tell, and no more', () => {
    expect(rowsOfState(stateOf(story, 1, 3))).toEqual([['messages', '1 received, 0 sent']]);
    expect(rowsOfState(stateOf(story, 1, 6))).toEqual([
      ['voted last for', 'A1 in round 1'],
      ['committed', 'A1 @1'],
      ['messages', '1 received, 0 sent'],
    ]);
  });
});

describe('states that go on from the last question', () => {
  test('are those from the beginning, in whatever order they are asked', () => {
    const states = new SeatStates(story);
    for (const upTo of [3, 4, 7, 2, 0, 6, 6, 7, -1, 5])
      for (const seat of [0, 1]) expect(states.rowsAt(seat, upTo)).toEqual(rowsOfState(stateOf(story, seat, upTo)));
  });
});

describe('the two chains', () => {
  const finding = (one: string[], other: string[]): FindingInfo => ({
    property: 'agreement',
    kind: '',
    why: '',
    since: 0,
    height: 2,
    seats: [],
    shrinking: '',
    mark: '',
    loop: null,
    claims: [one, other].map((values, i) => ({
      seat: i === 0 ? 'B' : 'C',
      value: values[1] ?? '',
      history: values.map((value, h) => ({ height: h + 1, value })),
    })),
  });
  test('have a stem and two branches', () => {
    const nodes = treeOf(finding(['A1', 'A2'], ['A1', "A'2", "A'3"]), new Map());
    expect(nodes.map((n) => [n.value, n.x, n.parent, n.disagrees])).toEqual([
      ['genesis', 0.5, -1, false],
      ['A1', 0.5, 0, false],
      ['A2', 0, 1, true],
      ["A'2", 1, 1, true],
      ["A'3", 1, 3, false],
    ]);
    expect(nodes[1]!.seats).toEqual(['B', 'C']);
  });
  test('of a seat that contradicts itself follow what was proposed on what', () => {
    const told = finding(['A1', 'A2'], ['A1', "A'2"]);
    told.claims[0]!.history.push({ height: 2, value: 'B2' }, { height: 3, value: 'A3' }, { height: 3, value: 'B3' });
    const values = (parents: Map<string, Set<string>>): string[] =>
      treeOf(told, parents)
        .filter((n) => n.x === 0)
        .map((n) => n.value);
    expect(values(new Map([['B3', new Set(['A2'])]]))).toEqual(['A2', 'B3']);
    expect(values(new Map())).toEqual(['A2']);
    const alone = finding(['A1', 'A2', 'A3'], ['A1', "A'2"]);
    expect(treeOf(alone, new Map([['A3', new Set(['B2'])]])).map((n) => n.value)).not.toContain('A3');
    expect(treeOf(alone, new Map([['A3', new Set(['genesis'])]])).map((n) => n.value)).toContain('A3');
  });
  test('are not there where nobody committed', () => {
    expect(treeOf(finding([], []), new Map())).toEqual([]);
    expect(treeOf({ ...finding(['A1'], ['B1']), claims: [] }, new Map())).toEqual([]);
  });
});

describe('an automaton', () => {
  const automaton = {
    property: 'p',
    verdict: 'violated',
    caption: [],
    locations: ['a', 'b'],
    shared: ['x'],
    rules: [
      { id: '1', source: 0, target: 1, guard: 'true', updates: ['x := x + 1'] },
      { id: '2', source: 0, target: 1, guard: 'x >= 1', updates: [] },
      { id: '3', source: 1, target: 1, guard: 'true', updates: [] },
    ],
    parameters: [{ name: 'n', value: '2' }],
    initial: [{ name: 'a', value: '2' }],
    steps: [{ rule: 0, count: '2', is_in_loop: false, unlocked: [], after: [{ name: 'b', value: '2' }] }],
  };
  test('has its counters after each step', () => {
    expect([...countersAfter(automaton, 0)]).toEqual([['a', '2']]);
    expect([...countersAfter(automaton, 1)]).toEqual([['b', '2']]);
  });
  test('draws one curve for rules side by side, and no idle one that is not taken', () => {
    expect(drawnRules(automaton)).toEqual([0, 1]);
    const drawn = layoutAutomaton(automaton);
    expect(drawn.curves.map((curve) => curve.rules)).toEqual([[0, 1]]);
    expect(drawn.locations.map((l) => l.name)).toEqual(['a', 'b']);
    expect(drawn.locations[1]!.x).toBeGreaterThan(drawn.locations[0]!.x);
  });
});

test('names of files hold nothing that a disk would mind', () => {
  expect(fileName('zyzzyva-fork')).toBe('zyzzyva-fork');
  expect(fileName('../x: <b>')).toBe('x-b');
  expect(fileName('\u0394')).toBe('nika');
});
