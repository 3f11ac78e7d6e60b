// The page of a finding: its head, the choice of a run where there are two, and the run.
import { headOf, themeButton } from './controls';
import type { Page } from './document';
import { html } from './dom';
import { placeOf } from './link';
import { RunView, type Shown } from './run_view';

// Each run by itself, and two of them side by side.
function choicesOf(page: Page): { shown: Shown; name: string }[] {
  const choices = page.runs.map((run, i) => ({
    shown: { run: i, besideRun: null as number | null, link: i },
    name: `${run.title}: ${run.verdict}`,
  }));
  if (page.runs.length === 2) choices.push({ shown: { run: 0, besideRun: 1, link: 2 }, name: 'side by side' });
  return choices;
}

export function showFinding(root: HTMLElement, page: Page): void {
  const stage = html('section', { class: 'stage', 'aria-label': 'The run' });
  const aside = html('aside', { 'aria-label': 'What it means' });
  const main = html('main', {}, stage, aside);
  const head = html('div', {});
  const tabs = html('div', { class: 'runs', role: 'group', 'aria-label': 'Which run' });
  const choices = choicesOf(page);
  let view: RunView | null = null;
  let chosen = -1;
  const choose = (choice: number, event: number | null): void => {
    const { shown } = choices[choice]!;
    view?.leave();
    chosen = choice;
    main.classList.toggle('both', shown.besideRun !== null);
    view = new RunView(page, shown, event);
    view.show(stage, aside, event !== null);
    head.replaceChildren(headOf(page, shown.run));
    [...tabs.children].forEach((tab, i) => tab.setAttribute('aria-pressed', String(i === choice)));
  };
  choices.forEach(({ name }, i) => {
    const tab = html('button', { type: 'button' }, name);
    tab.addEventListener('click', () => choose(i, null));
    tabs.append(tab);
  });
  const bar = html('div', { class: 'bar' }, choices.length < 2 ? null : tabs, themeButton());
  const footer = html(
    'footer',
    {},
    `Made by ${page.program} from stored data. Nothing is fetched and nothing is sent.`,
  );
  root.replaceChildren(html('header', {}, head, bar), main, footer);
  const follow = (): void => {
    const place = placeOf(location.hash);
    const choice = Math.min(place.run, choices.length - 1);
    if (choice !== chosen) choose(choice, place.event);
    else if (place.event !== null) view?.go(place.event, true);
  };
  follow();
  addEventListener('hashchange', follow);
}
