import { describe, expect, test } from 'vitest';
import { bytesOf, eventsOf } from './events';
import { layout, plantedRun, type Planted } from './planted_run';
import { storyOf, type Fate } from './story';
import { messageSentence, sentenceOf } from './words';

const send = (message: number, seat: number, time = 0): Planted => ({ kind: 'sent', seat, peer: seat, message, time });
const deliver = (message: number, from: number, to: number, time = 1): Planted => ({
  kind: 'delivered',
  seat: to,
  peer: from,
  message,
  time,
});
const round = (time: number): Planted => ({ kind: 'network-round', time });
const fatesOf = (events: Planted[], changes = {}): Fate[] =>
  storyOf(plantedRun(events, changes), layout).arrows.map((arrow) => arrow.fate);

describe('events', () => {
  test('are read from their bytes, little endian', () => {
    const run = plantedRun([
      { kind: 'voted', seat: 3, message: 70000, time: 65536 + 2, round: 250, value: 288, other: 256 },
    ]);
    expect(eventsOf(run, layout)[0]).toEqual({
      index: 0,
      kind: 14,
      seat: 3,
      peer: 0,
      message_kind: 0,
      message: 70000,
      time: 65538,
      round: 250,
      height: 0,
      value: 288,
      other: 256,
    });
  });
  test('of another length than told are refused', () => {
    expect(() => eventsOf({ ...plantedRun([round(1)]), event_count: 2 }, layout)).toThrow('read 18 bytes');
    expect(() => eventsOf(plantedRun([]), { ...layout, fields: [] })).toThrow('does not say where "kind" stands');
    expect(bytesOf('AQID')).toEqual(new Uint8Array([1, 2, 3]));
  });
});

describe('lanes', () => {
  test('put twins side by side and clients last', () => {
    const seats = plantedRun([]).seats.concat({ name: 'c1', identity: 5, is_compromised: false, is_client: true });
    const story = storyOf(plantedRun([], { seats }), layout);
    expect(story.lanes.map((lane) => lane.name)).toEqual(['A', "A'", 'B', 'C', 'D', 'c1']);
    expect(story.lanes.map((lane) => lane.twinOfLeft)).toEqual([false, true, false, false, false, false]);
  });
});

describe('what becomes of a message', () => {
  test('each fate is told apart', () => {
    const first = [send(1, 0), round(1)];
    expect(fatesOf([...first, deliver(1, 0, 1)])).toEqual(['delivered']);
    expect(fatesOf([...first, { kind: 'lost', seat: 0, peer: 1, message: 1, time: 1 }])).toEqual(['lost']);
    const late: Planted = { kind: 'late', seat: 0, peer: 1, message: 1, time: 1 };
    expect(fatesOf([...first, late])).toEqual(['waiting']);
    expect(fatesOf([...first, late, round(2), deliver(1, 0, 1, 2)])).toEqual(['late']);
    const repeated: Planted = { kind: 'repeated', seat: 0, peer: 1, message: 1, time: 1 };
    expect(fatesOf([...first, repeated, deliver(1, 0, 1), round(2), deliver(1, 0, 1, 2)])).toEqual([
      'delivered',
      'again',
    ]);
  });
  test('in a timed run only what takes longer than usual is late', () => {
    const run = (time: number): Fate[] =>
      fatesOf(
        [
          send(1, 0),
          { kind: 'late', seat: 0, peer: 1, message: 1, time: 0 },
          { kind: 'tick', time },
          deliver(1, 0, 1, time),
        ],
        { unit: 'tick', delta_ticks: 2 },
      );
    expect(run(2)).toEqual(['delivered']);
    expect(run(3)).toEqual(['late']);
  });
  test('a lie says the old and the new field', () => {
    const events = [send(1, 0), round(1), { kind: 'changed', seat: 0, peer: 1, message: 1, time: 1 }, deliver(1, 0, 1)];
    const changes = [{ event: 2, field: 'value', before: 'A1', after: "A'1" }];
    const story = storyOf(plantedRun(events, { changes }), layout);
    expect(story.arrows).toHaveLength(1);
    expect(messageSentence(story, story.arrows[0]!)).toBe(
      "proposal #1 from A to B arrives; the liar changed value: A1 \u2192 A'1",
    );
    expect(sentenceOf(story, story.events[2]!)).toBe(
      "the liar A changes in proposal #1 to B value, which said A1, to A'1",
    );
  });
});

describe('turns', () => {
  test('a quorum arrives where the seat acts', () => {
    const votes = [1, 2, 3].flatMap((seat) => [send(seat, seat)]);
    const events = [
      ...votes,
      round(1),
      deliver(1, 1, 0),
      deliver(2, 2, 0),
      deliver(3, 3, 0),
      { kind: 'certified', seat: 0, time: 1, value: 256 },
      deliver(1, 1, 2),
    ];
    const story = storyOf(plantedRun(events), layout);
    const [first, second, third] = [4, 5, 6].map((event) => story.turnOf[event]);
    expect(first).toBe(second);
    expect(second).toBe(third);
    expect(story.turns[third!]!.deeds).toEqual([7]);
  });
  test('stand below what caused them, and in the order of each seat', () => {
    const events = [
      send(1, 0),
      round(1),
      deliver(1, 0, 1),
      send(2, 1, 1),
      deliver(2, 1, 2),
      send(3, 2, 1),
      deliver(3, 2, 0),
      round(2),
      deliver(3, 2, 1, 2),
    ];
    const story = storyOf(plantedRun(events), layout);
    const row = (event: number): number => story.turns[story.turnOf[event]!]!.row;
    expect([row(0), row(2), row(4), row(6), row(8)]).toEqual([0, 1, 2, 3, 4]);
    expect(story.bands.map((band) => [band.time, band.firstRow, band.lastRow])).toEqual([
      [1, 0, 3],
      [2, 4, 4],
    ]);
  });
  test('of random runs never stand above their causes, nor in another band', () => {
    let seed = 1;
    const draw = (n: number): number => (seed = (seed * 48271) % 2147483647) % n;
    for (let run = 0; run < 200; run++) {
      const events: Planted[] = [];
      let time = 0;
      let sent = 0;
      for (let i = 0; i < 60; i++) {
        const what = draw(10);
        if (what === 0) events.push(round(++time));
        else if (what < 4) events.push({ ...send(++sent, draw(5), time) });
        else if (what < 8 && sent > 0) {
          const message = 1 + draw(sent);
          const from = events.find((e) => e.kind === 'sent' && e.message === message)!.seat!;
          events.push(deliver(message, from, draw(5), time));
        } else events.push({ kind: 'voted', seat: draw(5), time, value: 256 });
      }
      const story = storyOf(plantedRun(events), layout);
      for (const arrow of story.arrows) {
        if (arrow.fromTurn < 0 || arrow.toTurn < 0 || arrow.from === arrow.to) continue;
        expect(story.turns[arrow.toTurn]!.row).toBeGreaterThan(story.turns[arrow.fromTurn]!.row);
      }
      for (const turn of story.turns) {
        const band = story.bands[turn.band]!;
        expect(turn.row).toBeGreaterThanOrEqual(band.firstRow);
        expect(turn.row).toBeLessThanOrEqual(band.lastRow);
      }
      const places = story.turns.map((turn) => `${turn.seat} ${turn.row}`);
      expect(new Set(places).size).toBe(places.length);
      for (let b = 1; b < story.bands.length; b++)
        expect(story.bands[b]!.firstRow).toBe(story.bands[b - 1]!.lastRow + 1);
    }
  });
});

describe('crashes', () => {
  test('last until the recovery, or to the end', () => {
    const events = [
      round(1),
      { kind: 'crashed', seat: 1, time: 1 },
      round(2),
      { kind: 'recovered', seat: 1, time: 2 },
      { kind: 'crashed', seat: 2, time: 2 },
      round(3),
    ];
    expect(storyOf(plantedRun(events), layout).downs).toEqual([
      { seat: 1, fromEvent: 1, toEvent: 3 },
      { seat: 2, fromEvent: 4, toEvent: 5 },
    ]);
  });
});
