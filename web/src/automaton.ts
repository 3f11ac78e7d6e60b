// The page of an automaton with the run that refutes a property: where the processes stand after each step.
import { labelOf, layoutAutomaton, radius, type AutomatonLayout, type RuleCurve } from './automaton_layout';
import { themeButton } from './controls';
import type { AutomatonInfo, Counter, Page } from './document';
import { button, html, svg, text } from './dom';
import { fileName, savePng, saveSvg } from './export';
import { pairs, section } from './panel';

// The counters after so many steps; 0: as the run begins.
export function countersAfter(automaton: AutomatonInfo, step: number): Map<string, string> {
  const counters: Counter[] = step === 0 ? automaton.initial : (automaton.steps[step - 1]?.after ?? []);
  return new Map(counters.map((counter) => [counter.name, counter.value]));
}

function curvePath(curve: RuleCurve): string {
  const [first, ...rest] = curve.points;
  if (first === undefined) return '';
  const f = (n: number): string => n.toFixed(1);
  if (curve.source === curve.target && rest.length === 3)
    return `M${f(first.x)} ${f(first.y)}C${rest.map((p) => `${f(p.x)} ${f(p.y)}`).join(' ')}`;
  let path = `M${f(first.x)} ${f(first.y)}`;
  rest.forEach((point, i) => {
    const next = rest[i + 1];
    if (next === undefined) path += `L${f(point.x)} ${f(point.y)}`;
    else path += `Q${f(point.x)} ${f(point.y)} ${f((point.x + next.x) / 2)} ${f((point.y + next.y) / 2)}`;
  });
  const [a, b] = [curve.points[curve.points.length - 2]!, curve.points[curve.points.length - 1]!];
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const wing = (side: number): string => `${f(b.x - ux * 8 - side * uy * 4)} ${f(b.y - uy * 8 + side * ux * 4)}`;
  return `${path}M${wing(1)}L${f(b.x)} ${f(b.y)}L${wing(-1)}`;
}

class AutomatonView {
  readonly drawing: SVGSVGElement;
  private readonly curves = new Map<number, SVGElement>(); // by rule
  private readonly locations: { group: SVGElement; count: SVGTextElement; name: string }[] = [];

  constructor(
    private readonly automaton: AutomatonInfo,
    layout: AutomatonLayout,
  ) {
    const taken = new Set(automaton.steps.map((step) => step.rule));
    this.drawing = svg('svg', {
      viewBox: `0 0 ${layout.width} ${layout.height}`,
      width: layout.width,
      height: layout.height,
      class: 'd-drawing',
      role: 'img',
      'aria-label': `The automaton of ${automaton.property}`,
    });
    this.drawing.append(svg('rect', { width: layout.width, height: layout.height, class: 'd-paper' }));
    for (const curve of layout.curves) {
      const isTaken = curve.rules.some((rule) => taken.has(rule));
      const group = svg(
        'g',
        { class: `d-rule${isTaken ? ' d-taken' : ''}`, 'data-rules': curve.rules.join(' ') },
        svg('path', { d: curvePath(curve), class: 'd-line' }),
        text(curve.labelX, curve.labelY + 4, labelOf(automaton, curve), 'd-rule-name'),
      );
      for (const rule of curve.rules) this.curves.set(rule, group);
      this.drawing.append(group);
    }
    layout.locations.forEach((location) => {
      const count = text(location.x, location.y + 5, '', 'd-count');
      const group = svg(
        'g',
        { class: 'd-location' },
        svg('circle', { cx: location.x, cy: location.y, r: radius, class: 'd-place' }),
        count,
        text(location.x, location.y + radius + 13, location.name, 'd-place-name'),
      );
      this.locations.push({ group, count, name: location.name });
      this.drawing.append(group);
    });
  }

  setStep(step: number): void {
    const counters = countersAfter(this.automaton, step);
    for (const { group, count, name } of this.locations) {
      const value = counters.get(name) ?? '0';
      const shown = this.automaton.parameters.length === 0 ? '' : value;
      count.textContent = shown === '0' ? '' : shown;
      group.classList.toggle('d-filled', shown !== '' && shown !== '0');
    }
    for (const element of this.curves.values()) element.classList.remove('d-now');
    const rule = this.automaton.steps[step - 1]?.rule;
    if (rule !== undefined) this.curves.get(rule)?.classList.add('d-now');
  }
}

function ruleText(automaton: AutomatonInfo, rule: number): string {
  const { id, source, target, guard, updates } = automaton.rules[rule]!;
  const does = updates.length === 0 ? '' : `; ${updates.join(', ')}`;
  return `rule ${id}: ${automaton.locations[source]} \u2192 ${automaton.locations[target]}, when ${guard}${does}`;
}

function stepTable(automaton: AutomatonInfo, onPick: (step: number) => void): HTMLElement {
  const names = [...automaton.locations, ...automaton.shared].filter((name) =>
    [automaton.initial, ...automaton.steps.map((s) => s.after)].some((c) => c.some((counter) => counter.name === name)),
  );
  const head = html('tr', {}, ...['step', 'rule', 'times', ...names].map((name) => html('th', { scope: 'col' }, name)));
  const body = html('tbody', {});
  for (let step = 0; step <= automaton.steps.length; step++) {
    const taken = automaton.steps[step - 1];
    const counters = countersAfter(automaton, step);
    const link = html('button', { type: 'button', class: 'plain' }, step === 0 ? 'start' : String(step));
    link.addEventListener('click', () => onPick(step));
    body.append(
      html(
        'tr',
        { class: taken?.is_in_loop === true ? 'in-loop' : '' },
        html('td', {}, link),
        html('td', {}, taken === undefined ? '' : automaton.rules[taken.rule]!.id),
        html('td', {}, taken?.count ?? ''),
        ...names.map((name) => html('td', {}, counters.get(name) ?? '0')),
      ),
    );
  }
  return html(
    'div',
    { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Counters after each step' },
    html('table', {}, html('caption', {}, 'Counters after each step'), html('thead', {}, head), body),
  );
}

class AutomatonPage {
  private readonly view: AutomatonView;
  private readonly told = html('output', { class: 'told' });
  private readonly card = html('div', { 'aria-live': 'polite' });
  private readonly table: HTMLElement;
  private readonly rows: Element[];
  private readonly last: number;
  private step = 0;
  private linkTimer = 0;

  constructor(
    private readonly page: Page,
    private readonly automaton: AutomatonInfo,
  ) {
    this.view = new AutomatonView(automaton, layoutAutomaton(automaton));
    this.last = automaton.steps.length;
    this.table = stepTable(automaton, (to) => this.go(to));
    this.rows = [...this.table.querySelectorAll('tbody tr')];
    addEventListener('keydown', (e) => {
      if (e.ctrlKey || e.altKey || e.metaKey) return;
      const to = { ArrowRight: this.step + 1, ArrowLeft: this.step - 1, Home: 0, End: this.last }[e.key];
      if (to === undefined) return;
      this.go(to);
      e.preventDefault();
    });
  }

  show(root: HTMLElement): void {
    root.replaceChildren(
      this.head(),
      html('main', {}, this.stage(), this.aside()),
      html('footer', {}, `Made by ${this.page.program} from stored data. Nothing is fetched and nothing is sent.`),
    );
    const wanted = /^#step=([0-9]{1,6})$/.exec(location.hash);
    this.go(wanted === null ? this.last : Number(wanted[1]));
  }

  private get hasRun(): boolean {
    return this.automaton.parameters.length > 0;
  }

  private go(to: number): void {
    this.step = Math.max(0, Math.min(this.last, to));
    this.view.setStep(this.step);
    const taken = this.automaton.steps[this.step - 1];
    const times = taken === undefined || taken.count === '1' ? '' : `, taken ${taken.count} times`;
    const words = taken === undefined ? 'The run begins.' : `${ruleText(this.automaton, taken.rule)}${times}`;
    this.told.textContent = `step ${this.step} of ${this.last} \u00b7 ${words}`;
    const counters = [...countersAfter(this.automaton, this.step)];
    this.card.replaceChildren(html('p', { class: 'sentence' }, words), pairs(counters));
    if (taken !== undefined && taken.unlocked.length > 0)
      this.card.append(html('p', {}, `Now true: ${taken.unlocked.join('; ')}`));
    if (taken?.is_in_loop === true) this.card.append(html('p', {}, 'This step is of the loop that repeats for ever.'));
    this.rows.forEach((row, i) => {
      if (i === this.step) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    });
    clearTimeout(this.linkTimer);
    this.linkTimer = window.setTimeout(() => history.replaceState(null, '', `#step=${this.step}`), 250);
  }

  private controls(): HTMLElement {
    const name = fileName(this.page.title);
    const { drawing } = this.view;
    const steps = html(
      'span',
      { class: 'group' },
      button('|\u25c0', 'The beginning (Home)', () => this.go(0)),
      button('\u25c0', 'Back by one step (left arrow)', () => this.go(this.step - 1)),
      button('\u25b6', 'Forward by one step (right arrow)', () => this.go(this.step + 1)),
      button('\u25b6|', 'The end (End)', () => this.go(this.last)),
    );
    const files = html(
      'span',
      { class: 'group' },
      button('SVG', 'Save the drawing as SVG', () => saveSvg(drawing, name)),
      button('PNG', 'Save the drawing as PNG', () => void savePng(drawing, name)),
    );
    const label = { class: 'controls', role: 'toolbar', 'aria-label': 'Step through the run' };
    return html('div', label, this.hasRun ? steps : null, files, this.hasRun ? this.told : null);
  }

  private head(): HTMLElement {
    const [formula, verdict] = this.automaton.caption;
    const words = html(
      'div',
      {},
      html('h1', {}, this.page.title),
      html('p', { class: `verdict ${this.automaton.verdict}` }, verdict ?? ''),
      html('p', { class: 'cast' }, html('code', {}, formula ?? '')),
    );
    return html('header', {}, words, html('div', { class: 'bar' }, themeButton()));
  }

  private stage(): HTMLElement {
    const label = { class: 'picture', tabindex: 0, role: 'region', 'aria-label': 'Drawing of the automaton' };
    const picture = html('div', label, this.view.drawing);
    const table = this.hasRun ? this.table : null;
    return html('section', { class: 'stage', 'aria-label': 'The automaton' }, this.controls(), picture, table);
  }

  private aside(): HTMLElement {
    const { parameters, rules, steps } = this.automaton;
    const aside = html('aside', { 'aria-label': 'What it means' });
    if (this.hasRun) {
      const named = parameters.map((p): [string, string] => [p.name, p.value]);
      aside.append(section('With these parameters', pairs(named)), section('This step', this.card));
    }
    if (steps.some((taken) => taken.is_in_loop))
      aside.append(section('A loop', html('p', {}, 'The marked steps come again and again, for ever.')));
    const how =
      'A circle is a location, and the number in it says how many processes are there. Rules on the path of the run ' +
      'are red; the table has all counters.';
    const lines = rules.map((_, i) => html('li', {}, ruleText(this.automaton, i)));
    aside.append(
      section('How to read it', html('p', {}, how)),
      section('Rules', html('ul', { class: 'rules', tabindex: 0, 'aria-label': 'Rules' }, ...lines)),
    );
    return aside;
  }
}

export function showAutomaton(root: HTMLElement, page: Page, automaton: AutomatonInfo): void {
  new AutomatonPage(page, automaton).show(root);
}
