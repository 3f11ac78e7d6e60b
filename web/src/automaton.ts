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

  constructor(private readonly automaton: AutomatonInfo, layout: AutomatonLayout) {
    const taken = new Set(automaton.steps.map((step) => step.rule));
    this.drawing = svg('svg', { viewBox: `0 0 ${layout.width} ${layout.height}`, width: layout.width,
      height: layout.height, class: 'd-drawing', role: 'img', 'aria-label': `The automaton of ${automaton.property}` });
    this.drawing.append(svg('rect', { width: layout.width, height: layout.height, class: 'd-paper' }));
    for (const curve of layout.curves) {
      const isTaken = curve.rules.some((rule) => taken.has(rule));
      const group = svg('g', { class: `d-rule${isTaken ? ' d-taken' : ''}`, 'data-rules': curve.rules.join(' ') },
        svg('path', { d: curvePath(curve), class: 'd-line' }),
        text(curve.labelX, curve.labelY + 4, labelOf(automaton, curve), 'd-rule-name'));
      for (const rule of curve.rules) this.curves.set(rule, group);
      this.drawing.append(group);
    }
    layout.locations.forEach((location) => {
      const count = text(location.x, location.y + 5, '', 'd-count');
      const group = svg('g', { class: 'd-location' },
        svg('circle', { cx: location.x, cy: location.y, r: radius, class: 'd-place' }), count,
        text(location.x, location.y + radius + 13, location.name, 'd-place-name'));
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
    [automaton.initial, ...automaton.steps.map((s) => s.after)].some((c) => c.some((counter) => counter.name === name)));
  const head = html('tr', {}, ...['step', 'rule', 'times', ...names].map((name) => html('th', { scope: 'col' }, name)));
  const body = html('tbody', {});
  for (let step = 0; step <= automaton.steps.length; step++) {
    const taken = automaton.steps[step - 1];
    const counters = countersAfter(automaton, step);
    const link = html('button', { type: 'button', class: 'plain' }, step === 0 ? 'start' : String(step));
    link.addEventListener('click', () => onPick(step));
    body.append(html('tr', { class: taken?.is_in_loop === true ? 'in-loop' : '' }, html('td', {}, link),
      html('td', {}, taken === undefined ? '' : automaton.rules[taken.rule]!.id), html('td', {}, taken?.count ?? ''),
      ...names.map((name) => html('td', {}, counters.get(name) ?? '0'))));
  }
  return html('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Counters after each step' },
    html('table', {}, html('caption', {}, 'Counters after each step'), html('thead', {}, head), body));
}

export function showAutomaton(root: HTMLElement, page: Page, automaton: AutomatonInfo): void {
  const view = new AutomatonView(automaton, layoutAutomaton(automaton));
  const last = automaton.steps.length;
  const told = html('output', { class: 'told' });
  const card = html('div', { 'aria-live': 'polite' });
  let step = 0;
  const table = stepTable(automaton, (to) => go(to));
  const rows = [...table.querySelectorAll('tbody tr')];
  function go(to: number): void {
    step = Math.max(0, Math.min(last, to));
    view.setStep(step);
    const taken = automaton.steps[step - 1];
    const times = taken === undefined || taken.count === '1' ? '' : ` taken ${taken.count} times`;
    const words = taken === undefined ? 'The run begins.' : `${ruleText(automaton, taken.rule)}${times}`;
    told.textContent = `step ${step} of ${last} \u00b7 ${words}`;
    const counters = [...countersAfter(automaton, step)].map(([name, value]): [string, string] => [name, value]);
    card.replaceChildren(html('p', { class: 'sentence' }, words), pairs(counters));
    if (taken !== undefined && taken.unlocked.length > 0)
      card.append(html('p', {}, `Now true: ${taken.unlocked.join('; ')}`));
    if (taken?.is_in_loop === true) card.append(html('p', {}, 'This step is of the loop that repeats for ever.'));
    rows.forEach((row, i) => (i === step ? row.setAttribute('aria-current', 'true') : row.removeAttribute('aria-current')));
    history.replaceState(null, '', `#step=${step}`);
  }
  const name = fileName(page.title);
  const controls = html('div', { class: 'controls', role: 'toolbar', 'aria-label': 'Step through the run' },
    html('span', { class: 'group' }, button('|\u25c0', 'The beginning (Home)', () => go(0)),
      button('\u25c0', 'Back by one step (left arrow)', () => go(step - 1)),
      button('\u25b6', 'Forward by one step (right arrow)', () => go(step + 1)),
      button('\u25b6|', 'The end (End)', () => go(last))),
    html('span', { class: 'group' }, button('SVG', 'Save the drawing as SVG', () => saveSvg(view.drawing, name)),
      button('PNG', 'Save the drawing as PNG', () => void savePng(view.drawing, name))), told);
  addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.altKey || e.metaKey) return;
    const to = { ArrowRight: step + 1, ArrowLeft: step - 1, Home: 0, End: last }[e.key];
    if (to === undefined) return;
    go(to);
    e.preventDefault();
  });
  const loops = automaton.steps.some((taken) => taken.is_in_loop);
  const [formula, verdict] = automaton.caption;
  root.replaceChildren(
    html('header', {}, html('div', {}, html('h1', {}, page.title),
      html('p', { class: `verdict ${last > 0 || automaton.parameters.length > 0 ? 'violated' : 'holds'}` }, verdict ?? ''),
      html('p', { class: 'cast' }, html('code', {}, formula ?? ''))), html('div', { class: 'bar' }, themeButton())),
    html('main', {}, html('section', { class: 'stage', 'aria-label': 'The automaton' }, last === 0 ? null : controls,
      html('div', { class: 'picture', tabindex: 0, role: 'region', 'aria-label': 'Drawing of the automaton' }, view.drawing),
      automaton.parameters.length === 0 ? null : table),
    html('aside', { 'aria-label': 'What it means' },
      automaton.parameters.length === 0 ? null : section('With these parameters',
        pairs(automaton.parameters.map((p): [string, string] => [p.name, p.value]))),
      automaton.parameters.length === 0 ? null : section('This step', card),
      loops ? section('A loop', html('p', {}, 'The marked steps come again and again, for ever.')) : null,
      section('How to read it', html('p', {}, 'A circle is a location, and the number in it says how many processes are ' +
        'there. Rules on the path of the run are red; the table has all counters.')),
      section('Rules', html('ul', { class: 'rules', tabindex: 0, 'aria-label': 'Rules' },
        ...automaton.rules.map((_, i) => html('li', {}, ruleText(automaton, i))))))),
    html('footer', {}, `Made by ${page.program} from stored data. Nothing is fetched and nothing is sent.`));
  const wanted = /^#step=([0-9]{1,6})$/.exec(location.hash);
  go(wanted === null ? last : Number(wanted[1]));
}
