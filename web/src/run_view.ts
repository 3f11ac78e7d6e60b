// One run on the screen: controls, diagram or table, and the cards beside it, all following one position. Another run
// may stand beside it and follow by time: what the repaired protocol did under the same schedule.
import { Controls } from './controls';
import { Diagram } from './diagram';
import type { FindingInfo, Page } from './document';
import { html } from './dom';
import { isConflicting, type Looks } from './drawing';
import { fileName, savePng, saveSvg } from './export';
import { filterCard } from './filters';
import { layoutOf, loopMargin } from './layout';
import { fragmentOf } from './link';
import { EventCard, StepList, evidenceCard, loopCard, section, treeCard } from './panel';
import { storyOf, type Story } from './story';
import { EventTable } from './table';

const cardsWidth = 460; // pixels beside the diagram
const leastWidth = 700;

export interface Shown {
  run: number;
  besideRun: number | null;
  link: number; // what the address calls this choice
}

// Where a page opens: when the second of two commits disagrees with the first, or at the end.
export function momentOf(story: Story, finding: FindingInfo | null): number {
  const seen = new Set<string>();
  for (const event of story.events) {
    if (!isConflicting(story, event.index, finding)) continue;
    seen.add(story.valueName(event.value));
    if (seen.size === 2) return event.index;
  }
  return story.events.length - 1;
}

// The last event of a run at a time of another one; the first event if it has not begun by then.
export function eventAt(story: Story, time: number): number {
  let event = 0;
  for (const band of story.bands) if (band.time <= time) event = band.lastEvent;
  return event;
}

// Paper gets the whole drawing on one page, whatever is on the screen.
function preparePrint(print: HTMLElement, picture: () => SVGSVGElement): () => void {
  const before = (): void => print.replaceChildren(picture());
  const after = (): void => print.replaceChildren();
  const paper = matchMedia('print');
  const change = (): void => (paper.matches ? before() : after());
  addEventListener('beforeprint', before);
  addEventListener('afterprint', after);
  paper.addEventListener('change', change);
  return () => {
    removeEventListener('beforeprint', before);
    removeEventListener('afterprint', after);
    paper.removeEventListener('change', change);
  };
}

export class RunView {
  private readonly story: Story;
  private readonly looks: Looks;
  private readonly controls: Controls;
  private readonly diagram: Diagram;
  private readonly table: EventTable;
  private readonly eventCard: EventCard;
  private readonly steps: StepList | null;
  private readonly beside: { story: Story; diagram: Diagram } | null;
  private readonly unprint: () => void;
  private readonly print = html('div', { class: 'print' });
  private position: number;
  private linkTimer = 0;

  constructor(
    private readonly page: Page,
    private readonly shown: Shown,
    start: number | null,
  ) {
    const { run, besideRun } = shown;
    this.story = storyOf(page.runs[run]!, page.event_layout);
    this.looks = this.looksOf(run);
    this.position = start ?? momentOf(this.story, this.looks.finding);
    this.controls = new Controls(this.story, (event) => this.go(event, true));
    this.eventCard = new EventCard(this.story);
    this.table = new EventTable(this.story, (event) => this.go(event, false));
    this.table.element.hidden = true;
    this.diagram = this.diagramOf(this.story, (event) => this.go(event, false), true);
    const { attack } = page;
    this.steps = attack === null || run > 0 ? null : new StepList(attack, this.story, (event) => this.go(event, true));
    this.beside = null;
    if (besideRun !== null) {
      const story = storyOf(page.runs[besideRun]!, page.event_layout);
      this.beside = { story, diagram: this.diagramOf(story, () => undefined, false) };
    }
    this.addFiles();
    this.unprint = preparePrint(this.print, () => this.diagram.picture().drawing);
  }

  private looksOf(run: number): Looks {
    return {
      finding: run === 0 ? this.page.finding : null,
      hiddenKinds: new Set(),
      hiddenSeats: new Set(),
      hiddenFates: new Set(),
      showsDeeds: true,
    };
  }

  private diagramOf(story: Story, onPick: (event: number) => void, tells: boolean): Diagram {
    const looks = tells ? this.looks : { ...this.looks, finding: null };
    const margin = looks.finding?.loop?.is_shown === true ? loopMargin : 0;
    const room = this.shown.besideRun === null ? innerWidth - cardsWidth - margin : innerWidth / 2 - 40;
    return new Diagram(layoutOf(story, Math.max(leastWidth, room)), looks, onPick, (event) => {
      if (tells) this.eventCard.show(event ?? this.position, event !== null);
    });
  }

  private addFiles(): void {
    const name = fileName(this.page.title);
    this.controls.addSwitch('Table', 'Show the events as a table instead of the diagram', (on) => {
      this.table.element.hidden = !on;
      this.diagram.element.hidden = on;
      if (on) this.table.show();
      else this.diagram.redraw();
    });
    this.controls.addButton('SVG', 'Save the drawing as SVG', () => saveSvg(this.diagram.picture().drawing, name));
    this.controls.addButton('PNG', 'Save the drawing as PNG', () => void savePng(this.diagram.picture().drawing, name));
  }

  show(stage: HTMLElement, aside: HTMLElement, scrolls: boolean): void {
    const drawings = html('div', { class: 'drawings' }, this.diagram.element, this.table.element);
    if (this.beside !== null) {
      this.diagram.element.prepend(html('h2', {}, this.page.runs[this.shown.run]!.title));
      this.beside.diagram.element.prepend(html('h2', {}, this.page.runs[this.shown.besideRun!]!.title));
      drawings.append(this.beside.diagram.element);
    }
    stage.replaceChildren(this.controls.element, drawings, this.print);
    const redraw = (): void => {
      this.diagram.redraw();
      this.beside?.diagram.redraw();
    };
    const filters = filterCard(this.story, this.looks, redraw);
    aside.replaceChildren(...this.cards(), this.eventCard.element, filters, this.controls.help());
    redraw();
    this.go(this.position, false);
    if (scrolls) this.diagram.scrollTo(this.position);
  }

  private cards(): HTMLElement[] {
    const { run } = this.shown;
    const { finding } = this.looks;
    const { attack } = this.page;
    const setting = this.page.runs[run]!.setting;
    const cards: (HTMLElement | null)[] = [finding === null ? null : treeCard(finding, this.story)];
    cards.push(this.steps?.element ?? null);
    if (attack !== null) {
      const words = run === 0 ? attack.about : attack.repair;
      const source = html('p', { class: 'faint' }, `Source: ${attack.source}`);
      cards.push(section(run === 0 ? 'What this is about' : 'The repair', html('p', {}, words), source));
    }
    if (this.beside !== null && attack !== null) {
      const told = html('p', {}, this.page.runs[this.shown.besideRun!]!.verdict_text);
      cards.push(section('The repair, on the right', html('p', {}, attack.repair), told));
    }
    if (finding?.loop !== null && finding?.loop !== undefined) cards.push(loopCard(finding.loop, this.story.run.unit));
    if (finding !== null) cards.push(evidenceCard(finding));
    const lines = setting.map((line) => html('li', {}, line));
    if (lines.length > 0) cards.push(section('Setting', html('ul', {}, ...lines)));
    return cards.filter((card) => card !== null);
  }

  go(event: number, follow: boolean): void {
    this.position = Math.max(0, Math.min(this.story.events.length - 1, event));
    this.diagram.setPosition(this.position, follow);
    this.controls.setPosition(this.position);
    this.eventCard.show(this.position, false);
    this.table.setPosition(this.position);
    this.steps?.setPosition(this.position);
    if (this.beside !== null) {
      const time = this.story.bands[this.story.bandOf[this.position] ?? 0]?.time ?? 0;
      this.beside.diagram.setPosition(eventAt(this.beside.story, time), follow);
    }
    clearTimeout(this.linkTimer);
    const fragment = fragmentOf(this.shown.link, this.position);
    this.linkTimer = window.setTimeout(() => history.replaceState(null, '', fragment), 250);
  }

  leave(): void {
    this.unprint();
    this.controls.leave();
    clearTimeout(this.linkTimer);
  }
}
