// What stands beside the diagram: the steps of the source, the two chains, the loop, and the event one looks at.
import type { AttackInfo, FindingInfo, Holding, Loop } from './document';
import { html, svg, text } from './dom';
import { SeatStates } from './state';
import type { Story } from './story';
import { endOfStep, stepAt } from './steps';
import { parentsOf, treeOf } from './tree';
import { fieldsOf, sentenceOf } from './words';

export function section(title: string, ...children: (Node | string | null)[]): HTMLElement {
  return html('section', { class: 'card' }, html('h2', {}, title), ...children);
}

export function pairs(rows: [string, string][]): HTMLElement {
  const list = html('dl', {});
  for (const [name, value] of rows) list.append(html('dt', {}, name), html('dd', {}, value));
  return list;
}

// The steps of the attack's source; the one that the position is in is marked and read out.
export class StepList {
  readonly element: HTMLElement;
  private readonly items: HTMLLIElement[];
  private current = -1;

  constructor(
    private readonly attack: AttackInfo,
    private readonly story: Story,
    onGo: (event: number) => void,
  ) {
    this.items = attack.steps.map((step) => {
      const end = endOfStep(story, step);
      if (end === null) return html('li', {}, step.text);
      const link = html('button', { type: 'button', class: 'step' }, step.text);
      link.addEventListener('click', () => onGo(end));
      return html('li', {}, link);
    });
    const placed = attack.steps.some((step) => step.is_placed);
    const hint = placed
      ? null
      : html('p', { class: 'faint' }, 'The file does not tell at which times these steps are.');
    this.element = section(
      'Step by step',
      html('ol', { class: 'steps', tabindex: 0, 'aria-label': 'Steps' }, ...this.items),
      hint,
    );
  }

  setPosition(position: number): void {
    const time = this.story.bands[this.story.bandOf[position] ?? 0]?.time ?? 0;
    const step = stepAt(this.attack.steps, time);
    if (step === this.current) return;
    this.items[this.current]?.removeAttribute('aria-current');
    this.items[step]?.setAttribute('aria-current', 'step');
    this.current = step;
    const item = this.items[step];
    const list = item?.parentElement;
    if (item === undefined || list === null || list === undefined) return;
    list.scrollTop = item.offsetTop - list.offsetTop - 12;
  }
}

export function treeCard(finding: FindingInfo, story: Story): HTMLElement | null {
  if (finding.property !== 'agreement') return null;
  const nodes = treeOf(finding, parentsOf(story));
  if (nodes.length === 0) return null;
  const heights = [...new Set(nodes.map((node) => node.height))].sort((a, b) => a - b);
  const y = (height: number): number => 18 + heights.indexOf(height) * 40;
  const x = (at: number): number => 100 + at * 140;
  const drawing = svg('svg', {
    viewBox: `0 0 340 ${heights.length * 40 + 2}`,
    class: 'tree',
    role: 'img',
    'aria-label': nodes
      .map((n) => `height ${n.height}: ${n.value}${n.seats.length > 0 ? ` at ${n.seats.join(', ')}` : ''}`)
      .join('; '),
  });
  for (const node of nodes) {
    const parent = nodes[node.parent];
    if (parent !== undefined)
      drawing.append(
        svg('path', {
          d: `M${x(parent.x)} ${y(parent.height) + 13}L${x(node.x)} ${y(node.height) - 13}`,
          class: node.disagrees ? 'd-tree-line d-tree-bad' : 'd-tree-line',
        }),
      );
  }
  const told = new Set<number>();
  for (const node of nodes) {
    const width = Math.max(54, node.value.length * 8 + 18);
    const seats = node.seats.join(', ');
    drawing.append(
      svg('rect', {
        x: x(node.x) - width / 2,
        y: y(node.height) - 13,
        width,
        height: 26,
        rx: 5,
        class: node.disagrees ? 'd-tree-node d-tree-bad' : 'd-tree-node',
      }),
      text(x(node.x), y(node.height) + 4.5, node.value, 'd-tree-value'),
      text(x(node.x) + width / 2 + 6, y(node.height) + 4, seats === '' ? '' : `by ${seats}`, 'd-tree-seats'),
    );
    if (!told.has(node.height)) drawing.append(text(4, y(node.height) + 4, `height ${node.height}`, 'd-tree-height'));
    told.add(node.height);
  }
  const [a, b] = finding.claims;
  const words =
    a === undefined || b === undefined
      ? ''
      : `At height ${finding.height} ${a.seat} committed ${a.value} and ${b.seat} committed ${b.value}. Neither ` +
        'of them lies, and what two such seats commit at one height may never differ.';
  return section('The two chains', html('p', {}, words), drawing);
}

function holdingText(holding: Holding): string {
  const parts = [`view ${holding.view}`];
  if (holding.prepared !== '') parts.push(`prepared ${holding.prepared}`);
  if (holding.locked !== '') parts.push(`locked ${holding.locked}`);
  if (holding.executed !== '') parts.push(`executed ${holding.executed}`);
  return parts.join(', ');
}

export function loopCard(loop: Loop, unit: string): HTMLElement {
  const card = section(loop.is_proved ? 'A loop, proved' : 'No loop proved', html('p', {}, loop.text));
  if (loop.is_shown) {
    card.append(
      html(
        'p',
        {},
        `After ${unit} ${loop.last} all is as it was after ${unit} ${loop.before_first}, but for ` +
          'the numbers of rounds. So the same happens again, for ever.',
      ),
    );
  }
  if (!loop.is_proved) return card;
  card.append(html('h3', {}, 'It assumes'), html('ul', {}, ...loop.assumptions.map((words) => html('li', {}, words))));
  if (loop.waiting.length > 0) card.append(html('p', {}, `Never decide: ${loop.waiting.join(', ')}.`));
  if (loop.ends.length > 0) {
    const table = html(
      'table',
      {},
      html('caption', {}, 'What each seat holds, before the loop and after it has come round'),
    );
    table.append(html('tr', {}, ...['seat', 'before', 'after'].map((name) => html('th', { scope: 'col' }, name))));
    for (const ends of loop.ends) {
      table.append(
        html(
          'tr',
          {},
          html('th', { scope: 'row' }, ends.seat),
          html('td', {}, holdingText(ends.before)),
          html('td', {}, holdingText(ends.after)),
        ),
      );
    }
    card.append(table);
  }
  if (loop.repaired !== '') card.append(html('p', {}, loop.repaired));
  return card;
}

export function evidenceCard(finding: FindingInfo): HTMLElement {
  const rows: [string, string][] = [
    ['property', finding.property],
    ['in which way', finding.kind],
  ];
  if (finding.why !== '') rows.push(['why', finding.why]);
  if (finding.since > 0) rows.push(['since', String(finding.since)]);
  if (finding.height > 0) rows.push(['height', String(finding.height)]);
  if (finding.seats.length > 0) rows.push(['about', finding.seats.join(', ')]);
  for (const claim of finding.claims)
    rows.push([claim.seat, claim.value === '' ? 'leads, and is blocked' : `holds ${claim.value}`]);
  if (finding.shrinking !== '') rows.push(['shrinking', finding.shrinking]);
  rows.push(['fingerprint', finding.mark]);
  return section('What is broken', pairs(rows));
}

// The event that is pointed at, or else the one of the position.
export class EventCard {
  readonly element: HTMLElement;
  private readonly body = html('div', { 'aria-live': 'polite', class: 'here' });

  private readonly states: SeatStates;

  constructor(private readonly story: Story) {
    this.states = new SeatStates(story);
    this.element = section('This event', this.body);
  }

  show(index: number, isPointedAt: boolean): void {
    const event = this.story.events[index];
    if (event === undefined) return;
    const name = this.story.kindName(event.kind);
    this.body.replaceChildren(
      html('p', { class: 'sentence' }, (isPointedAt ? 'Pointed at: ' : '') + sentenceOf(this.story, event)),
      pairs(fieldsOf(this.story, event)),
    );
    if (name === 'network-round' || name === 'tick' || name === 'step') return this.showSchedule(index);
    const seat = this.story.run.seats[event.seat]?.name ?? '?';
    const before = this.states.rowsAt(event.seat, index - 1);
    const after = new Map(this.states.rowsAt(event.seat, index));
    const rows = [...new Set([...before.map(([n]) => n), ...after.keys()])].map((n): [string, string] => {
      const was = before.find(([b]) => b === n)?.[1] ?? 'nothing';
      const is = after.get(n) ?? 'nothing';
      return [n, was === is ? is : `${was} \u2192 ${is}`];
    });
    this.body.append(
      html('h3', {}, `${seat}, before \u2192 after`),
      pairs(rows),
      html(
        'p',
        { class: 'faint' },
        'As far as the events tell. A trace holds no states: locks and what else a replica keeps are not in it.',
      ),
    );
  }

  private showSchedule(index: number): void {
    const info = this.story.bands[this.story.bandOf[index]!]?.info;
    if (info === null || info === undefined) return;
    if (info.network !== '') this.body.append(pairs([['network', info.network]]));
    if (info.note !== '') this.body.append(html('p', {}, info.note));
    if (info.choices.length > 0)
      this.body.append(html('ul', {}, ...info.choices.map((choice) => html('li', {}, choice))));
  }
}
