// The run as a table, for screen readers and for who would rather read: one round at a time, or all of a short run.
import { html } from './dom';
import type { Story } from './story';
import { sentenceOf } from './words';

const mostRows = 400; // more is shown band by band

export class EventTable {
  readonly element = html('div', {
    class: 'table-view',
    tabindex: 0,
    role: 'region',
    'aria-label': 'Events as a table',
  });
  private position: number;
  private shownFrom = -1;
  private shownTo = -1;
  private rows: HTMLTableRowElement[] = [];

  constructor(
    private readonly story: Story,
    private readonly onPick: (event: number) => void,
  ) {
    this.position = story.events.length - 1;
  }

  setPosition(position: number): void {
    this.position = position;
    if (this.element.hidden || !this.element.isConnected) return;
    this.show();
  }

  // A window of a long band around the position.
  private range(): [number, number] {
    const { events, bands, bandOf } = this.story;
    if (events.length <= mostRows) return [0, events.length - 1];
    const band = bands[bandOf[this.position] ?? 0]!;
    if (band.lastEvent - band.firstEvent < mostRows) return [band.firstEvent, band.lastEvent];
    const from = Math.max(band.firstEvent, this.position - mostRows / 2);
    return [from, Math.min(band.lastEvent, from + mostRows)];
  }

  show(): void {
    const [from, to] = this.range();
    if (from !== this.shownFrom || to !== this.shownTo) this.fill(from, to);
    this.rows.forEach((row, i) => {
      if (from + i === this.position) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    });
    const row = this.rows[this.position - from];
    if (row === undefined) return;
    const { scrollTop, clientHeight } = this.element;
    if (row.offsetTop < scrollTop || row.offsetTop + row.offsetHeight > scrollTop + clientHeight)
      this.element.scrollTop = row.offsetTop - clientHeight * 0.4;
  }

  private fill(from: number, to: number): void {
    this.shownFrom = from;
    this.shownTo = to;
    const head = html('tr', {}, ...['event', 'when', 'who', 'what'].map((name) => html('th', { scope: 'col' }, name)));
    this.rows = [];
    for (let i = from; i <= to; i++) this.rows.push(this.rowOf(i));
    const all = this.story.events.length;
    const caption =
      to - from + 1 === all
        ? `All ${all} events`
        : `Events ${from + 1} to ${to + 1} of ${all}; stepping shows the others`;
    this.element.replaceChildren(
      html('table', {}, html('caption', {}, caption), html('thead', {}, head), html('tbody', {}, ...this.rows)),
    );
  }

  private rowOf(index: number): HTMLTableRowElement {
    const event = this.story.events[index]!;
    const name = this.story.kindName(event.kind);
    const isMark = name === 'network-round' || name === 'tick' || name === 'step';
    const link = html('button', { type: 'button', class: 'plain' }, String(index + 1));
    link.addEventListener('click', () => this.onPick(index));
    return html(
      'tr',
      { class: `t-${name.replace(/[^a-z-]/g, '')}` },
      html('td', {}, link),
      html('td', {}, this.story.bands[this.story.bandOf[index]!]?.label ?? ''),
      html('td', {}, isMark ? 'the schedule' : (this.story.run.seats[event.seat]?.name ?? '?')),
      html('td', {}, sentenceOf(this.story, event)),
    );
  }
}
