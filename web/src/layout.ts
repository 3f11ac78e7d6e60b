// Where everything of a story stands on the paper. Pure numbers, so that a window of a long run can be drawn alone.
import type { Arrow, Story, Turn } from './story';
import { deedParts } from './words';

export const gutter = 158; // to the left of the lanes: what the schedule chose
export const headerHeight = 46;
const rowHeight = 17;
const lineHeight = 13;
const bandPadding = 12;
const stripHeight = 20;
const clientGap = 22;
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
// where it is told what came of it. Commits have a line each.
export function labelsOf(story: Story, turn: Turn): Label[] {
  const lines = new Map<string, { word: string; deed: string; about: string[] }>();
  for (const index of turn.deeds) {
    const event = story.events[index]!;
    const deed = story.kindName(event.kind);
    if (deed === 'entered-round' || (deed === 'expired' && turn.deeds.length > 1)) continue;
    const [word, about] = deedParts(story, event);
    const key = deed === 'committed' ? `${word} ${about}` : word;
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
  let x = gutter + laneWidth / 2 - 34;
  let clients = false;
  for (const lane of story.lanes) {
    if (lane.isClient && !clients) x += clientGap;
    clients = lane.isClient;
    xs.push(x);
    x += laneWidth;
  }
  return xs;
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
  const lanes = Math.max(story.lanes.length, 1);
  const laneWidth = Math.max(104, Math.min(150, Math.floor((available - gutter - clientGap - 30) / lanes)));
  const chunks = Math.floor(story.rowCount / chunkRows) + 1;
  const laneX = lanePositions(story, laneWidth);
  const layout: Layout = {
    story,
    laneWidth,
    laneX,
    width: (laneX[laneX.length - 1] ?? gutter) + Math.max(laneWidth - 20, 118),
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
