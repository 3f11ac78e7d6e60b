// The page of a finding: head, controls, diagram or table, and the cards beside it, all following one position.
import type { FindingInfo, Page } from './document';
import { Controls, headOf, themeButton } from './controls';
import { Diagram } from './diagram';
import { html } from './dom';
import { isConflicting, type Looks } from './drawing';
import { fileName, savePng, saveSvg } from './export';
import { filterCard } from './filters';
import { layoutOf } from './layout';
import { fragmentOf, placeOf } from './link';
import { EventCard, StepList, evidenceCard, loopCard, section, treeCard } from './panel';
import { storyOf, type Story } from './story';
import { EventTable } from './table';

interface View {
  go: (event: number, follow: boolean) => void;
  leave: () => void;
}

function runCards(page: Page, run: number, story: Story): (HTMLElement | null)[] {
  const finding = run === 0 ? page.finding : null;
  const loop = finding?.loop ?? null;
  const setting = page.runs[run]!.setting;
  const { attack } = page;
  return [
    attack === null ? null : section(run === 0 ? 'What this is about' : 'The repair',
      html('p', {}, run === 0 ? attack.about : attack.repair), html('p', { class: 'faint' }, `Source: ${attack.source}`)),
    finding === null ? null : treeCard(finding, story),
    loop === null ? null : loopCard(loop, page.runs[run]!.unit),
    finding === null ? null : evidenceCard(finding),
    setting.length === 0 ? null : section('Setting', html('ul', {}, ...setting.map((line) => html('li', {}, line)))),
  ];
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

function showRun(page: Page, run: number, stage: HTMLElement, aside: HTMLElement, start: number | null): View {
  const story = storyOf(page.runs[run]!, page.event_layout);
  const looks: Looks = {
    finding: run === 0 ? page.finding : null, hiddenKinds: new Set(), hiddenSeats: new Set(), hiddenFates: new Set(),
    showsDeeds: true,
  };
  const last = story.events.length - 1;
  let position = Math.min(start ?? momentOf(story, looks.finding), last);
  let linkTimer = 0;
  const eventCard = new EventCard(story);
  const controls = new Controls(story, (event) => go(event, true));
  const diagram = new Diagram(layoutOf(story, Math.max(760, innerWidth - 460)), looks, (event) => go(event, false),
    (event) => eventCard.show(event ?? position, event !== null));
  const table = new EventTable(story, (event) => go(event, false));
  const steps = page.attack === null || run > 0 ? null : new StepList(page.attack, story, (event) => go(event, true));
  const followers = [controls, eventCard.show.bind(eventCard), table, steps];
  function go(event: number, follow: boolean): void {
    position = Math.max(0, Math.min(last, event));
    diagram.setPosition(position, follow);
    for (const follower of followers) {
      if (typeof follower === 'function') follower(position, false);
      else follower?.setPosition(position);
    }
    clearTimeout(linkTimer);
    linkTimer = window.setTimeout(() => history.replaceState(null, '', fragmentOf(run, position)), 250);
  }
  table.element.hidden = true;
  const print = html('div', { class: 'print' });
  const name = fileName(page.title);
  controls.addSwitch('Table', 'Show the events as a table instead of the diagram', (on) => {
    table.element.hidden = !on;
    diagram.element.hidden = on;
    if (on) table.show();
    else diagram.redraw();
  });
  controls.addButton('SVG', 'Save the drawing as SVG', () => saveSvg(diagram.picture().drawing, name));
  controls.addButton('PNG', 'Save the drawing as PNG', () => void savePng(diagram.picture().drawing, name));
  stage.replaceChildren(controls.element, diagram.element, table.element, print);
  aside.replaceChildren(...[steps?.element ?? null, ...runCards(page, run, story), eventCard.element,
    filterCard(story, looks, () => diagram.redraw()), controls.help()].filter((card) => card !== null));
  diagram.redraw();
  const unprint = preparePrint(print, () => diagram.picture().drawing);
  go(position, false);
  if (start !== null) diagram.scrollTo(position);
  return { go, leave: () => (unprint(), controls.leave(), clearTimeout(linkTimer)) };
}

export function showFinding(root: HTMLElement, page: Page): void {
  const stage = html('section', { class: 'stage', 'aria-label': 'The run' });
  const aside = html('aside', { 'aria-label': 'What it means' });
  let view: View | null = null;
  let shown = -1;
  const choose = (run: number, event: number | null): void => {
    view?.leave();
    view = showRun(page, run, stage, aside, event);
    shown = run;
  };
  const tabs = page.runs.length < 2 ? null : html('div', { class: 'runs', role: 'group', 'aria-label': 'Which run' });
  page.runs.forEach((run, i) => {
    const tab = html('button', { type: 'button' }, `${run.title}: ${run.verdict}`);
    tab.addEventListener('click', () => {
      choose(i, null);
      markTabs();
    });
    tabs?.append(tab);
  });
  const head = html('div', {});
  const markTabs = (): void => {
    [...(tabs?.children ?? [])].forEach((tab, i) => tab.setAttribute('aria-pressed', String(i === shown)));
    head.replaceChildren(headOf(page, shown));
  };
  const bar = html('div', { class: 'bar' }, tabs, themeButton());
  root.replaceChildren(html('header', {}, head, bar), html('main', {}, stage, aside),
    html('footer', {}, `Made by ${page.program} from stored data. Nothing is fetched and nothing is sent.`));
  const follow = (): void => {
    const place = placeOf(location.hash);
    const run = Math.min(place.run, page.runs.length - 1);
    if (run !== shown) choose(run, place.event);
    else if (place.event !== null) view?.go(place.event, true);
    markTabs();
  };
  follow();
  addEventListener('hashchange', follow);
}
