// The diagram on the screen: a window of the drawing that follows scrolling, and the position in the run. Only what is
// in the window is ever drawn, so that a long run costs no more than a short one.
import { html, svg } from './dom';
import { drawHeader, drawPart, fullWidth, hatch, wholeDrawing, type Extent, type Looks } from './drawing';
import { headerHeight, rowAt, yOfEvent, type Layout } from './layout';

const margin = 500; // pixels that are drawn above and below of what is seen

interface Item {
  element: Element;
  event: number;
  last: number;
  isFuture: boolean;
}

export class Diagram {
  readonly element: HTMLDivElement;
  private readonly scroller: HTMLDivElement;
  private readonly paper: SVGSVGElement;
  private body: SVGGElement | null = null;
  private items: Item[] = [];
  private drawn: Extent = { firstRow: 0, lastRow: -1 };
  private top = 0;
  private bottom = -1;
  private position: number;
  private now: Element[] = [];

  constructor(
    private readonly layout: Layout,
    private readonly looks: Looks,
    private readonly onPick: (event: number) => void,
    private readonly onPoint: (event: number | null) => void,
  ) {
    this.position = layout.story.events.length - 1;
    const width = fullWidth(layout, looks);
    const header = svg('svg', { width, height: headerHeight, class: 'd-drawing d-top', 'aria-hidden': 'true' });
    header.append(drawHeader(layout));
    this.paper = svg('svg', { width, height: 10, class: 'd-drawing d-window', 'aria-hidden': 'true' });
    const sizer = html('div', { class: 'sizer' }, this.paper);
    sizer.style.height = `${layout.height}px`;
    sizer.style.width = `${width}px`;
    this.scroller = html(
      'div',
      {
        class: 'scroller',
        tabindex: 0,
        role: 'group',
        'aria-label': 'Space-time diagram. Arrow keys step through the events; the table tells the same in words.',
      },
      header,
      sizer,
    );
    this.element = html('div', { class: 'diagram' }, this.scroller);
    this.scroller.addEventListener('scroll', () => requestAnimationFrame(() => this.draw(false)));
    this.paper.addEventListener('click', (e) => this.pointed(e, (event) => this.onPick(event)));
    this.paper.addEventListener('mouseover', (e) => this.pointed(e, (event) => this.onPoint(event)));
    this.paper.addEventListener('mouseleave', () => this.onPoint(null));
  }

  private pointed(e: Event, tell: (event: number) => void): void {
    const target = e.target instanceof Element ? e.target.closest('[data-event]') : null;
    if (target !== null) tell(Number(target.getAttribute('data-event')));
  }

  focus(): void {
    this.scroller.focus({ preventScroll: true });
  }

  redraw(): void {
    this.draw(true);
  }

  // Draws what is in sight, unless that is drawn already.
  private draw(always: boolean): void {
    const from = this.scroller.scrollTop;
    const to = from + (this.scroller.clientHeight || 800);
    if (!always && from >= this.top && to <= this.bottom) return;
    this.top = Math.max(0, from - margin);
    this.bottom = to + margin;
    if (this.bottom >= this.layout.height) this.bottom = Number.MAX_VALUE;
    this.drawn = { firstRow: rowAt(this.layout, this.top), lastRow: rowAt(this.layout, to + margin) };
    const height = Math.min(this.layout.height, to + margin) - this.top;
    this.paper.setAttribute('height', String(height));
    this.paper.setAttribute('viewBox', `0 ${this.top} ${fullWidth(this.layout, this.looks)} ${height}`);
    this.paper.style.top = `${this.top}px`;
    this.body = drawPart(this.layout, this.drawn, this.looks);
    this.paper.replaceChildren(hatch(), this.body);
    this.items = [...this.body.querySelectorAll('[data-event]')].map((element) => ({
      element,
      event: Number(element.getAttribute('data-event')),
      last: Number(element.getAttribute('data-last') ?? element.getAttribute('data-event')),
      isFuture: false,
    }));
    this.mark();
  }

  private mark(): void {
    for (const element of this.now) element.classList.remove('d-now');
    this.now = [];
    for (const item of this.items) {
      const isFuture = item.event > this.position;
      if (isFuture !== item.isFuture) item.element.classList.toggle('d-future', isFuture);
      item.isFuture = isFuture;
      if (this.position >= item.event && this.position <= item.last) this.now.push(item.element);
    }
    const event = this.layout.story.events[this.position];
    const isSending = event !== undefined && this.layout.story.kindName(event.kind) === 'sent';
    if (isSending) {
      const sendings = this.items.filter((i) => i.element.getAttribute('data-sent') === String(this.position));
      this.now.push(...sendings.map((i) => i.element));
    }
    for (const element of this.now) element.classList.add('d-now');
  }

  // The first events up to and with this one have happened; the rest is faint.
  setPosition(position: number, follow: boolean): void {
    this.position = position;
    if (follow) this.follow();
    this.draw(false);
    this.mark();
  }

  private follow(): void {
    const y = yOfEvent(this.layout, this.position) + headerHeight;
    const seen = this.scroller.clientHeight;
    const from = this.scroller.scrollTop;
    if (y < from + headerHeight + 30 || y > from + seen - 60) this.scroller.scrollTop = Math.max(0, y - seen * 0.4);
  }

  scrollTo(event: number): void {
    this.scroller.scrollTop = Math.max(0, yOfEvent(this.layout, event) - this.scroller.clientHeight * 0.4);
    this.draw(false);
  }

  // The whole drawing, or what is in sight where the whole would be too much for one picture.
  picture(): { drawing: SVGSVGElement; isWhole: boolean } {
    const isWhole = this.layout.story.arrows.length + this.layout.story.turns.length <= 12000;
    return { drawing: wholeDrawing(this.layout, this.looks, isWhole ? undefined : this.drawn), isWhole };
  }
}
