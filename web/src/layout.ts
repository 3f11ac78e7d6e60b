// Where everything of a story stands on the paper. Pure numbers, so that a window of a long run can be drawn alone.
import type { Arrow, Story, Turn } from './story';
import { deedParts } from './words';

export const gutter = 134; // to the left of the lanes: what the schedule chose
export const headerHeight = 46;
const rowHeight = 17;
const lineHeight = 13;
const bandPadding = 12;
const stripHeight = 20;
const clientGap = 22;
const clientExtra = 20; // clients commit, in bold
export const laneLeft = 34; // of a lane's line from its left edge
export const loopMargin = 56; // to the right of a run with a loop
const labelRoom = 118; // to the right of the last lane
const letter = 5.7; // pixels of a letter, about
const chunkRows = 32;

export interface Layout {
  story: Story;
  laneWidth: number;
  laneX: number[]; // by lane
  width: number;
  height: number;
  rowY: Float64Array; // the middle of each row
  bandY: Float64Array; // the top of each band, and the end behind the last
  bandText: GutterLine[][]; // lines of the gutter
  labels: Label[][]; // by turn
  turnsByChunk: Turn[][];
  arrowsByChunk: Arrow[][];
  longArrows: Arrow[]; // that cross many rows
  chunkRows: number;
}

export function wrapped(text: string, columns: number, mostLines: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  if (line !== '') lines.push(line);
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines - 1), `${lines[mostLines - 1]!.slice(0, columns - 1)}\u2026`];
}

export interface Label {
  text: string;
  deed: string; // the kind of event
}

const mostLabels = 4;

// What a seat does at one place. Entering a round is left out, since everybody does it all the time, and so is a timer
// where it is told what came of it. Commits and proposals have a line each.
export function labelsOf(story: Story, turn: Turn): Label[] {
  const lines = new Map<string, { word: string; deed: string; about: string[] }>();
  for (const index of turn.deeds) {
    const event = story.events[index]!;
    const deed = story.kindName(event.kind);
    if (deed === 'entered-round' || (deed === 'expired' && turn.deeds.length > 1)) continue;
    const [word, about] = deedParts(story, event);
    const key = deed === 'committed' || deed === 'proposed' ? `${word} ${about}` : word;
    const line = lines.get(key) ?? { word, deed, about: [] };
    if (about !== '' && !line.about.includes(about)) line.about.push(about);
    lines.set(key, line);
  }
  const told = [...lines.values()].map(({ word, deed, about }) => {
    const more = about.length > 3 ? `, +${about.length - 2}` : '';
    return { text: `${word} ${about.slice(0, more === '' ? 3 : 2).join(', ')}${more}`.trim(), deed };
  });
  if (told.length <= mostLabels) return told;
  return [...told.slice(0, mostLabels - 1), { text: `and ${told.length - mostLabels + 1} more`, deed: 'note' }];
}

export interface GutterLine {
  text: string;
  kind: 'leaders' | 'network' | 'band-note';
}

function gutterLines(story: Story, band: number): GutterLine[] {
  const info = story.bands[band]!.info;
  if (info === null || story.run.unit !== 'round') return [];
  const leaders = info.leaders.map((seat) => story.run.seats[seat]?.name ?? '?');
  const lines: GutterLine[] = [];
  const add = (kind: GutterLine['kind'], words: string[]): void => {
    for (const text of words) lines.push({ text, kind });
  };
  add('leaders', [leaders.length > 0 ? `led by ${leaders.join(' ')}` : 'nobody leads']);
  if (info.blocks.length > 0) add('network', wrapped(info.network.replace(/[{}*]/g, ''), 20, 2));
  if (info.note !== '') add('band-note', wrapped(info.note, 20, 4));
  return lines;
}

function lanePositions(story: Story, laneWidth: number): number[] {
  const xs: number[] = [];
  let x = gutter + laneLeft;
  let clients = false;
  for (const lane of story.lanes) {
    if (lane.isClient && !clients) x += clientGap;
    clients = lane.isClient;
    xs.push(x);
    x += laneWidth + (clients ? clientExtra : 0);
  }
  return xs;
}

// As wide as there is room for, within what can be read.
function laneWidthFor(story: Story, available: number): number {
  const steps = Math.max(story.lanes.length - 1, 1);
  const clients = story.lanes.filter((lane) => lane.isClient).length;
  const rest = available - gutter - laneLeft - labelRoom - (clients > 0 ? clientGap + (clients - 1) * clientExtra : 0);
  return Math.max(96, Math.min(150, Math.floor(rest / steps)));
}

// On what something was proposed is left out first, then all but the first of several values.
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const alone = text.split(' on ')[0]!;
  if (alone.length <= most) return alone;
  const first = alone.split(',')[0]!;
  if (first !== alone && first.length < most) return `${first}\u2026`;
  return `${first.slice(0, Math.max(3, most - 1))}\u2026`;
}

// A label ends before the next lane where that has a mark in the same row, and before the one after it elsewhere.
function fitLabels(layout: Layout): void {
  const { story } = layout;
  const taken = new Set(story.turns.map((turn) => turn.row * 64 + story.laneOf[turn.seat]!));
  for (const turn of story.turns) {
    const lane = story.laneOf[turn.seat]!;
    if (lane >= story.lanes.length - 1) continue;
    const next = taken.has(turn.row * 64 + lane + 1) ? lane + 1 : lane + 2;
    const room = (layout.laneX[next] ?? layout.width) - layout.laneX[lane]! - 17;
    for (const label of layout.labels[turn.index]!) {
      const most = Math.floor(room / (label.deed === 'committed' ? letter * 1.12 : letter));
      label.text = shortened(label.text, most);
    }
  }
}

function fillRows(layout: Layout): void {
  const { story } = layout;
  const linesInRow = new Uint8Array(story.rowCount);
  for (const turn of story.turns) {
    const lines = layout.labels[turn.index]!.length;
    linesInRow[turn.row] = Math.max(linesInRow[turn.row]!, lines);
  }
  const strip = story.run.unit === 'round' ? stripHeight : 0;
  let y = 0;
  story.bands.forEach((band, b) => {
    layout.bandY[b] = y;
    const top = y;
    y += bandPadding / 2 + strip;
    for (let row = band.firstRow; row <= band.lastRow && row < story.rowCount; row++) {
      const height = rowHeight + Math.max(0, linesInRow[row]! - 1) * lineHeight + (linesInRow[row]! > 0 ? 3 : 0);
      layout.rowY[row] = y + rowHeight / 2;
      y += height;
    }
    const needed = 22 + layout.bandText[b]!.length * lineHeight;
    y = Math.max(y + bandPadding / 2, top + needed);
  });
  layout.bandY[story.bands.length] = y;
  layout.height = y + 10;
}

function fillChunks(layout: Layout): void {
  const { story } = layout;
  for (const turn of story.turns) layout.turnsByChunk[Math.floor(turn.row / chunkRows)]!.push(turn);
  for (const arrow of story.arrows) {
    const [first, last] = rowsOf(story, arrow);
    const a = Math.floor(first / chunkRows);
    const b = Math.floor(last / chunkRows);
    if (b - a > 3) {
      layout.longArrows.push(arrow);
      continue;
    }
    for (let chunk = a; chunk <= b; chunk++) layout.arrowsByChunk[chunk]!.push(arrow);
  }
}

// The rows between which an arrow is drawn; one that never arrives ends beside its sending.
export function rowsOf(story: Story, arrow: Arrow): [number, number] {
  const from = arrow.fromTurn >= 0 ? story.turns[arrow.fromTurn]!.row : -1;
  const to = arrow.toTurn >= 0 ? story.turns[arrow.toTurn]!.row : -1;
  if (from < 0 && to < 0) return [0, 0];
  if (from < 0) return [to, to];
  return to < 0 ? [from, from] : [Math.min(from, to), Math.max(from, to)];
}

export function layoutOf(story: Story, available = 1100): Layout {
  const laneWidth = laneWidthFor(story, available);
  const chunks = Math.floor(story.rowCount / chunkRows) + 1;
  const laneX = lanePositions(story, laneWidth);
  const layout: Layout = {
    story,
    laneWidth,
    laneX,
    width: (laneX[laneX.length - 1] ?? gutter) + labelRoom,
    height: 0,
    rowY: new Float64Array(story.rowCount),
    bandY: new Float64Array(story.bands.length + 1),
    bandText: story.bands.map((_, band) => gutterLines(story, band)),
    labels: story.turns.map((turn) => labelsOf(story, turn)),
    turnsByChunk: Array.from({ length: chunks }, () => []),
    arrowsByChunk: Array.from({ length: chunks }, () => []),
    longArrows: [],
    chunkRows,
  };
  fitLabels(layout);
  fillRows(layout);
  fillChunks(layout);
  return layout;
}

// The last row that begins at or above y.
export function rowAt(layout: Layout, y: number): number {
  let low = 0;
  let high = layout.rowY.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (layout.rowY[middle]! <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function yOfEvent(layout: Layout, event: number): number {
  const { story } = layout;
  const turn = story.turnOf[event]!;
  if (turn >= 0) return layout.rowY[story.turns[turn]!.row]!;
  const arrow = story.arrowOf[event]! >= 0 ? story.arrows[story.arrowOf[event]!]! : null;
  if (arrow !== null && arrow.fromTurn >= 0) return layout.rowY[story.turns[arrow.fromTurn]!.row]!;
  return layout.bandY[story.bandOf[event]!]! + 10;
}
