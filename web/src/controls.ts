// The head of a page, and the controls that step through a run, with the mouse or the keyboard.
import type { Page } from './document';
import { button, html } from './dom';
import type { Story } from './story';
import { nextBand, nextDeed, previousBand } from './steps';
import { sentenceOf } from './words';

export function themeButton(): HTMLElement {
  const root = document.documentElement;
  const dark = (): boolean => {
    const chosen = root.getAttribute('data-theme');
    return chosen === null ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
  };
  return button('Light or dark', 'Light or dark colours', () => {
    root.setAttribute('data-theme', dark() ? 'light' : 'dark');
  });
}

export function headOf(page: Page, run: number): HTMLElement {
  const shown = page.runs[run]!;
  return html(
    'div',
    {},
    html('h1', {}, page.title),
    html('p', { class: `verdict ${shown.verdict}` }, shown.verdict_text),
    html('p', { class: 'cast' }, shown.cast),
  );
}

const keys: [string, string][] = [
  ['\u2192 \u2190', 'one event forward or back'],
  ['. ,', 'to the next or last event that is more than a message'],
  ['\u2193 \u2191', 'one round (tick, step) forward or back, in the diagram; Shift with \u2192 \u2190 everywhere'],
  ['Space', 'play and pause'],
  ['Home End', 'first and last event'],
];

export class Controls {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly told = html('output', { class: 'told' });
  private readonly playButton: HTMLButtonElement;
  private readonly more = html('span', { class: 'group' });
  private position = 0;
  private timer = 0;

  constructor(
    private readonly story: Story,
    private readonly onGo: (event: number) => void,
  ) {
    const unit = story.run.unit;
    this.slider = html('input', {
      type: 'range',
      min: 1,
      max: Math.max(1, story.events.length),
      value: 1,
      'aria-label': 'Event',
    });
    this.slider.addEventListener('input', () => onGo(Number(this.slider.value) - 1));
    this.playButton = button('\u25b6 Play', 'Play or pause (Space)', () => this.play());
    this.element = html(
      'div',
      { class: 'controls', role: 'toolbar', 'aria-label': 'Step through the run' },
      html(
        'span',
        { class: 'group' },
        button('|\u25c0', 'First event (Home)', () => onGo(0)),
        button(`\u25c0\u25c0 ${unit}`, `Back by one ${unit} (Shift and left arrow)`, () => this.byBand(-1)),
        button('\u25c0', 'Back by one event (left arrow)', () => onGo(this.position - 1)),
        this.playButton,
        button('\u25b6', 'Forward by one event (right arrow)', () => onGo(this.position + 1)),
        button(`${unit} \u25b6\u25b6`, `Forward by one ${unit} (Shift and right arrow)`, () => this.byBand(1)),
        button('\u25b6|', 'Last event (End)', () => onGo(story.events.length - 1)),
      ),
      this.slider,
      this.more,
      this.told,
    );
    addEventListener('keydown', this.onKey);
  }

  leave(): void {
    this.stop();
    removeEventListener('keydown', this.onKey);
  }

  addButton(label: string, title: string, onClick: () => void): void {
    this.more.append(button(label, title, onClick));
  }

  addSwitch(label: string, title: string, onChange: (on: boolean) => void): void {
    const element = button(label, title, () => {
      const on = element.getAttribute('aria-pressed') !== 'true';
      element.setAttribute('aria-pressed', String(on));
      onChange(on);
    });
    element.setAttribute('aria-pressed', 'false');
    this.more.append(element);
  }

  help(): HTMLElement {
    const list = html('dl', {});
    for (const [key, what] of keys) list.append(html('dt', {}, key), html('dd', {}, what));
    return html('section', { class: 'card' }, html('h2', {}, 'Keyboard'), list);
  }

  setPosition(position: number): void {
    this.position = position;
    this.slider.value = String(position + 1);
    const event = this.story.events[position];
    const band = this.story.bands[this.story.bandOf[position] ?? 0]?.label ?? '';
    this.slider.setAttribute('aria-valuetext', `event ${position + 1}, ${band}`);
    if (event !== undefined)
      this.told.textContent =
        `${position + 1} / ${this.story.events.length} \u00b7 ${band} \u00b7 ` + sentenceOf(this.story, event);
  }

  private byBand(direction: 1 | -1): void {
    this.onGo(direction === 1 ? nextBand(this.story, this.position) : previousBand(this.story, this.position));
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = 0;
    this.playButton.textContent = '\u25b6 Play';
  }

  // From the beginning if it stands at the end. A long run is not played slower than a few minutes.
  private play(): void {
    if (this.timer !== 0) return this.stop();
    const last = this.story.events.length - 1;
    if (this.position >= last) this.onGo(0);
    this.playButton.textContent = '\u275a\u275a Pause';
    const stride = Math.max(1, Math.ceil(this.story.events.length / 2000));
    this.timer = window.setInterval(() => {
      if (this.position >= last) return this.stop();
      this.onGo(this.position + stride);
    }, 120);
  }

  private readonly onKey = (e: KeyboardEvent): void => {
    if (e.ctrlKey || e.altKey || e.metaKey) return;
    const target = e.target instanceof Element ? e.target : null;
    if (target !== null && target.matches('input, select, textarea')) return;
    if (e.key === ' ' && target !== null && target.matches('button')) return;
    const inDiagram = target !== null && target.closest('.scroller') !== null;
    const last = this.story.events.length - 1;
    if (e.key === 'ArrowRight') e.shiftKey ? this.byBand(1) : this.onGo(this.position + 1);
    else if (e.key === 'ArrowLeft') e.shiftKey ? this.byBand(-1) : this.onGo(this.position - 1);
    else if (e.key === 'ArrowDown' && inDiagram) this.byBand(1);
    else if (e.key === 'ArrowUp' && inDiagram) this.byBand(-1);
    else if (e.key === '.') this.onGo(nextDeed(this.story, this.position, 1));
    else if (e.key === ',') this.onGo(nextDeed(this.story, this.position, -1));
    else if (e.key === 'Home') this.onGo(0);
    else if (e.key === 'End') this.onGo(last);
    else if (e.key === ' ') this.play();
    else return;
    e.preventDefault();
  };
}
