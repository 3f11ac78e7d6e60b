// Elements made by hand. Text becomes text nodes and never HTML, so that nothing of a document is ever markup.

export type Attributes = Record<string, string | number | boolean | undefined>;
export type Child = Node | string | null;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) {
    if (child !== null) element.append(child);
  }
}

export function html<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  fill(element, attributes, children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  fill(element, attributes, children);
  return element;
}

export function text(x: number, y: number, words: string, className: string): SVGTextElement {
  return svg('text', { x, y, class: className }, words);
}

export function button(label: string, title: string, onClick: () => void): HTMLButtonElement {
  const element = html('button', { type: 'button', title, 'aria-label': title }, label);
  element.addEventListener('click', onClick);
  return element;
}
