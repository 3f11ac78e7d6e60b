// Draws a part of a layout as SVG elements: lanes, bands, turns and arrows. Knows nothing of scrolling or of positions;
// each element that is about an event says which in `data-event`.
import type { FindingInfo } from './document';
import { svg, text } from './dom';
import { gutter, headerHeight, laneLeft, loopMargin, rowsOf, type Layout } from './layout';
import type { Arrow, Story, Turn } from './story';
import { changeText } from './words';

export const kindColours = 10;
const everywhere = 255; // the block of who is on every side

export interface Looks {
  finding: FindingInfo | null;
  hiddenKinds: Set<number>;
  hiddenSeats: Set<number>;
  hiddenFates: Set<string>;
  showsDeeds: boolean;
}

export interface Extent {
  firstRow: number;
  lastRow: number;
}

// A commit of one of the two values that disagree, by a seat that counts: what liars commit is nobody's loss.
export function isConflicting(story: Story, event: number, finding: FindingInfo | null): boolean {
  if (finding === null || finding.property !== 'agreement' || finding.claims.length !== 2) return false;
  const e = story.events[event]!;
  if (story.kindName(e.kind) !== 'committed' || e.height !== finding.height) return false;
  if (story.run.seats[e.seat]?.is_compromised === true) return false;
  const value = story.valueName(e.value);
  return finding.claims.some((claim) => claim.value === value);
}

export function isShown(arrow: Arrow, looks: Looks): boolean {
  if (arrow.from === arrow.to && arrow.fate !== 'lost') return false;
  if (looks.hiddenKinds.has(arrow.messageKind) || looks.hiddenFates.has(arrow.change !== null ? 'changed' : arrow.fate))
    return false;
  return !looks.hiddenSeats.has(arrow.from) && !looks.hiddenSeats.has(arrow.to);
}

const shapes = [
  'committed',
  'certified',
  'timeout-certified',
  'proposed',
  'voted',
  'timed-out',
  'expired',
  'crashed',
  'recovered',
];

function shapeOf(layout: Layout, turn: Turn): string {
  const names = turn.events.map((e) => layout.story.kindName(layout.story.events[e]!.kind));
  return shapes.find((shape) => names.includes(shape)) ?? (layout.labels[turn.index]!.length > 0 ? 'note' : 'message');
}

function shapePath(shape: string, x: number, y: number): SVGElement {
  const polygon = (points: string, filled: boolean): SVGElement =>
    svg('path', { d: points, class: `d-shape d-${shape}${filled ? '' : ' d-hollow'}` });
  switch (shape) {
    case 'committed':
      return svg('circle', { cx: x, cy: y, r: 6.5, class: 'd-shape d-committed' });
    case 'certified':
      return polygon(`M${x - 5} ${y - 5}h10v10h-10z`, true);
    case 'timeout-certified':
      return polygon(`M${x - 5} ${y - 5}h10v10h-10z`, false);
    case 'proposed':
      return polygon(`M${x} ${y - 6.5}l6.5 6.5l-6.5 6.5l-6.5 -6.5z`, true);
    case 'voted':
      return svg('circle', { cx: x, cy: y, r: 4.5, class: 'd-shape d-voted d-hollow' });
    case 'timed-out':
    case 'expired':
      return polygon(`M${x - 5} ${y - 6}h10l-10 12h10z`, false);
    case 'crashed':
      return polygon(`M${x - 5} ${y - 5}l10 10m0 -10l-10 10`, false);
    case 'recovered':
      return polygon(`M${x - 5} ${y + 4}l5 -9l5 9z`, false);
    case 'note':
      return polygon(`M${x} ${y - 5}l5 5l-5 5l-5 -5z`, false);
    default:
      return svg('circle', { cx: x, cy: y, r: 2, class: 'd-shape d-message' });
  }
}

export function drawTurn(layout: Layout, turn: Turn, looks: Looks): SVGElement {
  const { story } = layout;
  const x = layout.laneX[story.laneOf[turn.seat]!]!;
  const y = layout.rowY[turn.row]!;
  const conflict = turn.deeds.some((e) => isConflicting(story, e, looks.finding));
  const last = turn.events[turn.events.length - 1]!;
  const first = turn.deeds[0] ?? turn.events[0]!;
  const dim = looks.hiddenSeats.has(turn.seat) ? ' d-dim' : '';
  const group = svg('g', {
    class: `d-turn${conflict ? ' d-conflict' : ''}${dim}`,
    'data-event': first,
    'data-last': last,
  });
  group.append(shapePath(shapeOf(layout, turn), x, y));
  if (!looks.showsDeeds) return group;
  layout.labels[turn.index]!.forEach((label, i) => {
    group.append(text(x + 10, y + 4 + i * 13, label.text, `d-label d-label-${label.deed.replace(/[^a-z-]/g, '')}`));
  });
  return group;
}

interface Points {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

function pointsOf(layout: Layout, arrow: Arrow): Points {
  const { story } = layout;
  const x1 = layout.laneX[story.laneOf[arrow.from]!]!;
  const x2 = layout.laneX[story.laneOf[arrow.to]!]!;
  const toY = arrow.toTurn >= 0 ? layout.rowY[story.turns[arrow.toTurn]!.row]! : null;
  const fromY = arrow.fromTurn >= 0 ? layout.rowY[story.turns[arrow.fromTurn]!.row]! : (toY ?? 0) - 14;
  if (toY !== null) return { x1, y1: fromY, x2, y2: toY };
  // It never arrives: the arrow ends on its way, in the direction of whom it was for.
  const part = x1 === x2 ? 0 : 0.42;
  return { x1, y1: fromY, x2: x1 + (x2 - x1) * part + (x1 === x2 ? 14 : 0), y2: fromY + 12 };
}

function arrowPath({ x1, y1, x2, y2 }: Points, ends: boolean): string {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const gap = ends ? Math.min(7, length / 3) : 0;
  const [tx, ty] = [x2 - ux * gap, y2 - uy * gap];
  const f = (n: number): string => n.toFixed(1);
  const line = `M${f(x1)} ${f(y1)}L${f(tx)} ${f(ty)}`;
  if (!ends) return line;
  const wing = (side: number): string => `${f(tx - ux * 6 - side * uy * 3.5)} ${f(ty - uy * 6 + side * ux * 3.5)}`;
  return `${line}M${wing(1)}L${f(tx)} ${f(ty)}L${wing(-1)}`;
}

export function drawArrow(layout: Layout, arrow: Arrow): SVGElement {
  const points = pointsOf(layout, arrow);
  const arrives = arrow.toTurn >= 0;
  const colour = `d-k${arrow.messageKind % kindColours}`;
  const changed = arrow.change !== null ? ' d-changed' : '';
  const group = svg('g', {
    class: `d-arrow d-${arrow.fate}${changed} ${colour}`,
    'data-event': arrow.end,
    'data-sent': arrow.sent,
  });
  const d = arrowPath(points, arrives);
  if (arrow.change !== null) group.append(svg('path', { d: arrowPath(points, false), class: 'd-halo' }));
  group.append(svg('path', { d, class: 'd-line' }));
  const { x1, y1, x2, y2 } = points;
  const [mx, my] = [x1 + (x2 - x1) * 0.5, y1 + (y2 - y1) * 0.5];
  if (arrow.fate === 'lost') group.append(svg('path', { d: `M${x2 - 4} ${y2 - 4}l8 8m0 -8l-8 8`, class: 'd-cross' }));
  if (arrow.fate === 'waiting') group.append(svg('path', { d: `M${x2 - 3} ${y2 - 5}v10m6 0v-10`, class: 'd-pause' }));
  if (arrow.fate === 'again') group.append(text(mx, my - 3, '\u00d72', 'd-note'));
  if (arrow.change !== null) group.append(text(mx + 4, my - 4, changeText(arrow), 'd-note d-note-changed'));
  return group;
}

export function arrowsIn(layout: Layout, extent: Extent, looks: Looks): Arrow[] {
  const first = Math.max(0, Math.floor(extent.firstRow / layout.chunkRows));
  const last = Math.min(layout.arrowsByChunk.length - 1, Math.floor(extent.lastRow / layout.chunkRows));
  const found = new Set<Arrow>();
  for (let chunk = first; chunk <= last; chunk++) for (const arrow of layout.arrowsByChunk[chunk]!) found.add(arrow);
  for (const arrow of layout.longArrows) found.add(arrow);
  return [...found].filter((arrow) => {
    const [from, to] = rowsOf(layout.story, arrow);
    return to >= extent.firstRow && from <= extent.lastRow && isShown(arrow, looks);
  });
}

function drawBands(layout: Layout, extent: Extent): SVGElement {
  const { story } = layout;
  const group = svg('g', { class: 'd-bands' });
  const right = layout.width - 6;
  story.bands.forEach((band, b) => {
    if (band.lastRow < extent.firstRow || band.firstRow > extent.lastRow) return;
    const top = layout.bandY[b]!;
    const height = layout.bandY[b + 1]! - top;
    group.append(
      svg('rect', { x: 0, y: top, width: right, height, class: `d-band ${b % 2 === 0 ? 'd-even' : 'd-odd'}` }),
    );
    if (band.info === null) return;
    story.lanes.forEach((lane, l) => {
      const block = band.info!.blocks[lane.seat];
      if (block === undefined || block >= everywhere) return;
      const box = {
        x: layout.laneX[l]! - laneLeft,
        y: top + 3,
        width: layout.laneWidth - 6,
        height: height - 6,
        rx: 4,
      };
      group.append(svg('rect', { ...box, class: `d-block d-block${block % 4}` }));
    });
  });
  return group;
}

// Above the lanes: what the schedule chose for each band.
function drawChoices(layout: Layout, extent: Extent): SVGElement {
  const { story } = layout;
  const group = svg('g', { class: 'd-choices' });
  story.bands.forEach((band, b) => {
    if (band.lastRow < extent.firstRow || band.firstRow > extent.lastRow) return;
    const top = layout.bandY[b]!;
    group.append(text(10, top + 17, band.label, `d-when${band.info?.heals === true ? ' d-heals' : ''}`));
    layout.bandText[b]!.forEach((line, i) =>
      group.append(text(10, top + 32 + i * 13, line.text, `d-gutter d-${line.kind}`)),
    );
    if (band.info === null) return;
    story.lanes.forEach((lane, l) => {
      const block = band.info!.blocks[lane.seat];
      const x = layout.laneX[l]! - laneLeft;
      const leads = band.info!.leaders.includes(lane.seat);
      if (leads) {
        group.append(svg('rect', { x: x + 2, y: top + 5, width: 54, height: 15, rx: 3, class: 'd-leader' }));
        group.append(text(x + 7, top + 16.5, '\u2605 leads', 'd-leader-text'));
      }
      const isTold = block !== undefined && block < everywhere && (!leads || layout.laneWidth >= 108);
      if (isTold) group.append(text(x + layout.laneWidth - 13, top + 16.5, `side ${block + 1}`, 'd-block-text'));
    });
  });
  return group;
}

function drawLanes(layout: Layout, top: number, bottom: number): SVGElement {
  const { story } = layout;
  const group = svg('g', { class: 'd-lanes' });
  story.lanes.forEach((lane, l) => {
    const x = layout.laneX[l]!;
    const kind = lane.isCompromised ? 'd-liar' : lane.isClient ? 'd-client' : 'd-honest';
    group.append(svg('line', { x1: x, x2: x, y1: top, y2: bottom, class: `d-lane ${kind}` }));
  });
  for (const down of story.downs) {
    const x = layout.laneX[story.laneOf[down.seat]!]!;
    const from = story.turnOf[down.fromEvent]!;
    const to = story.turnOf[down.toEvent]!;
    const y1 = Math.max(top, from >= 0 ? layout.rowY[story.turns[from]!.row]! : top);
    const ends = story.kindName(story.events[down.toEvent]!.kind) === 'recovered' && to >= 0;
    const y2 = Math.min(bottom, ends ? layout.rowY[story.turns[to]!.row]! : layout.height);
    if (y2 > y1) group.append(svg('rect', { x: x - 12, y: y1, width: 24, height: y2 - y1, class: 'd-down' }));
  }
  return group;
}

// A loop as a loop: from its end an arrow leads back to its beginning.
function drawLoop(layout: Layout, looks: Looks): SVGElement | null {
  const loop = looks.finding?.loop ?? null;
  if (loop === null || !loop.is_shown) return null;
  const { story } = layout;
  const first = story.bands.findIndex((band) => band.time > loop.before_first);
  let last = -1;
  story.bands.forEach((band, b) => {
    if (band.time <= loop.last) last = b;
  });
  if (first < 0 || last < first) return null;
  const x = layout.width - 4;
  const [top, bottom] = [layout.bandY[first]! + 4, layout.bandY[last + 1]! - 4];
  return svg(
    'g',
    { class: 'd-loop' },
    svg('rect', { x: gutter - 3, y: top, width: x - gutter + 1, height: bottom - top, rx: 8, class: 'd-loop-box' }),
    svg('path', {
      d: `M${x} ${bottom - 8}C${x + 44} ${bottom - 8} ${x + 44} ${top + 8} ${x + 4} ${top + 8}` + `m8 -5l-8 5l8 5`,
      class: 'd-loop-back',
    }),
    svg(
      'text',
      { x: 0, y: 0, transform: `translate(${x + 42} ${(top + bottom) / 2}) rotate(90)`, class: 'd-loop-text' },
      'and again, for ever',
    ),
  );
}

// With room for the way back of a loop.
export function fullWidth(layout: Layout, looks: Looks): number {
  return layout.width + (looks.finding?.loop?.is_shown === true ? loopMargin : 0);
}

export function drawHeader(layout: Layout): SVGGElement {
  const group = svg('g', { class: 'd-header' });
  layout.story.lanes.forEach((lane, l) => {
    const x = layout.laneX[l]!;
    const kind = lane.isCompromised ? 'd-liar' : lane.isClient ? 'd-client' : 'd-honest';
    const twins = layout.story.lanes.filter((other) => other.identity === lane.identity && !other.isClient).length > 1;
    const role = lane.isClient ? 'client' : lane.isCompromised ? (twins ? 'twin, liar' : 'liar') : 'honest';
    if (lane.twinOfLeft)
      group.append(svg('path', { d: `M${layout.laneX[l - 1]! + 20} 16H${x - 20}`, class: 'd-twins' }));
    group.append(
      svg('rect', { x: x - 20, y: 5, width: 40, height: 22, rx: lane.isClient ? 11 : 5, class: `d-head ${kind}` }),
      text(x, 20.5, lane.name, 'd-name'),
      text(x, 40, role, 'd-role'),
    );
  });
  return group;
}

export function hatch(): SVGDefsElement {
  return svg(
    'defs',
    {},
    svg(
      'pattern',
      { id: 'hatch', width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
      svg('line', { x1: 0, y1: 0, x2: 0, y2: 6, class: 'd-hatch' }),
    ),
  );
}

export function drawPart(layout: Layout, extent: Extent, looks: Looks): SVGGElement {
  const rows = layout.rowY.length;
  const top = (layout.rowY[Math.max(0, extent.firstRow)] ?? 0) - 40;
  const bottom = extent.lastRow >= rows - 1 ? layout.height : layout.rowY[extent.lastRow]! + 40;
  const group = svg('g', {}, drawBands(layout, extent), drawLanes(layout, Math.max(0, top), bottom));
  const arrows = svg('g', { class: 'd-arrows' });
  for (const arrow of arrowsIn(layout, extent, looks)) arrows.append(drawArrow(layout, arrow));
  const turns = svg('g', { class: 'd-turns' });
  const first = Math.max(0, Math.floor(extent.firstRow / layout.chunkRows));
  const last = Math.min(layout.turnsByChunk.length - 1, Math.floor(extent.lastRow / layout.chunkRows));
  for (let chunk = first; chunk <= last; chunk++) {
    for (const turn of layout.turnsByChunk[chunk]!) {
      if (turn.row >= extent.firstRow && turn.row <= extent.lastRow) turns.append(drawTurn(layout, turn, looks));
    }
  }
  const loop = drawLoop(layout, looks);
  if (loop !== null) group.append(loop);
  group.append(arrows, drawChoices(layout, extent), turns);
  return group;
}

// All of it, with the names of the seats, for paper and for export.
export function wholeDrawing(layout: Layout, looks: Looks, extent?: Extent): SVGSVGElement {
  const part = extent ?? { firstRow: 0, lastRow: layout.rowY.length - 1 };
  const top = extent === undefined ? 0 : Math.max(0, layout.rowY[part.firstRow]! - 20);
  const bottom = extent === undefined ? layout.height : Math.min(layout.height, layout.rowY[part.lastRow]! + 20);
  const width = fullWidth(layout, looks);
  const height = bottom - top + headerHeight;
  const body = drawPart(layout, part, looks);
  body.setAttribute('transform', `translate(0 ${headerHeight - top})`);
  return svg(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      class: 'd-drawing',
      role: 'img',
      'aria-label': 'Space-time diagram of the run',
    },
    hatch(),
    svg('rect', { width, height, class: 'd-paper' }),
    body,
    drawHeader(layout),
  );
}
