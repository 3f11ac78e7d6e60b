// The key to the drawing, and what of it is shown: by kind of message, by what became of them, and by seat.
import { html, svg } from './dom';
import { kindColours, type Looks } from './drawing';
import { fates, type Fate, type Story } from './story';
import { fateNames } from './words';

function toggle(label: string, sample: Node | null, isOn: boolean, onChange: (on: boolean) => void): HTMLElement {
  const box = html('input', { type: 'checkbox' });
  box.checked = isOn;
  box.addEventListener('change', () => onChange(box.checked));
  return html('label', { class: 'toggle' }, box, sample, label);
}

function lineSample(className: string, extra: string): SVGSVGElement {
  const group = svg('g', { class: `d-arrow ${className}` });
  if (extra === 'changed') group.append(svg('path', { d: 'M2 8H34', class: 'd-halo' }));
  group.append(
    svg('path', {
      d: extra === 'lost' || extra === 'waiting' ? 'M2 8H22' : 'M2 8H34M28 4L34 8L28 12',
      class: 'd-line',
    }),
  );
  if (extra === 'lost') group.append(svg('path', { d: 'M18 4l8 8m0 -8l-8 8', class: 'd-cross' }));
  if (extra === 'waiting') group.append(svg('path', { d: 'M22 3v10m6 0v-10', class: 'd-pause' }));
  if (extra === 'again') group.append(svg('text', { x: 10, y: 6, class: 'd-note' }, '\u00d72'));
  return svg('svg', { width: 38, height: 16, class: 'd-drawing sample', 'aria-hidden': 'true' }, group);
}

export function filterCard(story: Story, looks: Looks, onChange: () => void): HTMLElement {
  const set =
    <T>(hidden: Set<T>, item: T) =>
    (on: boolean): void => {
      if (on) hidden.delete(item);
      else hidden.add(item);
      onChange();
    };
  const count = new Map<string, number>();
  const add = (name: string): void => void count.set(name, (count.get(name) ?? 0) + 1);
  for (const arrow of story.arrows) {
    if (arrow.from === arrow.to && arrow.fate !== 'lost') continue;
    add(`kind ${arrow.messageKind}`);
    add(arrow.change !== null ? 'changed' : arrow.fate);
  }
  const group = (title: string, ...children: Node[]): HTMLElement =>
    html('fieldset', {}, html('legend', {}, title), ...children);
  const kinds = story.run.kinds
    .map((name, kind) => ({ name, kind, count: count.get(`kind ${kind}`) ?? 0 }))
    .filter((kind) => kind.count > 0)
    .map(({ name, kind, count: n }) =>
      toggle(
        `${name} (${n})`,
        lineSample(`d-k${kind % kindColours} d-delivered`, ''),
        !looks.hiddenKinds.has(kind),
        set(looks.hiddenKinds, kind),
      ),
    );
  const shown: (Fate | 'changed')[] = [...fates, 'changed'];
  const ends = shown
    .filter((fate) => (count.get(fate) ?? 0) > 0)
    .map((fate) =>
      toggle(
        `${fate === 'changed' ? 'changed by a liar' : fateNames[fate]} (${count.get(fate) ?? 0})`,
        lineSample(`d-k0 d-${fate}`, fate),
        !looks.hiddenFates.has(fate),
        set<string>(looks.hiddenFates, fate),
      ),
    );
  const seats = story.lanes.map((lane) =>
    toggle(lane.name, null, !looks.hiddenSeats.has(lane.seat), set(looks.hiddenSeats, lane.seat)),
  );
  const deeds = toggle('what the seats do, in words', null, looks.showsDeeds, (on) => {
    looks.showsDeeds = on;
    onChange();
  });
  return html(
    'section',
    { class: 'card' },
    html('h2', {}, 'Key, and what is shown'),
    group('Messages', ...kinds),
    group('What became of them', ...ends),
    html('div', { class: 'seats' }, group('Seats', ...seats)),
    group('Marks', deeds, markKey()),
    html(
      'p',
      { class: 'faint' },
      'What a seat sends to itself is not drawn. Time goes down; in one round, what stands ' +
        'lower may have been caused by what stands above it.',
    ),
  );
}

function markKey(): HTMLElement {
  const words: [string, string, string][] = [
    ['M9 1.5l6.5 6.5l-6.5 6.5l-6.5 -6.5z', 'd-proposed', 'proposes'],
    ['M4.500 8a4.500 4.500 0 1 0 9 0a4.500 4.500 0 1 0 -9 0', 'd-voted d-hollow', 'votes'],
    ['M4 3h10v10h-10z', 'd-certified', 'sees a quorum'],
    ['M4 2h10l-10 12h10z', 'd-timed-out d-hollow', 'times out'],
    ['M2.500 8a6.500 6.500 0 1 0 13 0a6.500 6.500 0 1 0 -13 0', 'd-committed', 'commits'],
  ];
  const list = html('ul', { class: 'marks' });
  for (const [d, className, name] of words) {
    list.append(
      html(
        'li',
        {},
        svg(
          'svg',
          { width: 18, height: 16, class: 'd-drawing sample', 'aria-hidden': 'true' },
          svg('path', { d, class: `d-shape ${className}` }),
        ),
        name,
      ),
    );
  }
  return list;
}
