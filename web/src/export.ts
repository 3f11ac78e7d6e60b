// The drawing as a file: SVG with its own style, or PNG of that. Nothing leaves the page but to the reader's disk.

// Rules of the drawing with today's colours, for a file that has no page around it.
export function styleOf(styles: StyleSheetList, root: Element): string {
  const computed = getComputedStyle(root);
  const rules: string[] = [];
  const variables = new Set<string>();
  for (const sheet of styles) {
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof CSSStyleRule) || !rule.selectorText.includes('.d-')) continue;
      rules.push(rule.cssText);
      for (const [name] of rule.cssText.matchAll(/--[a-z0-9-]+/g)) variables.add(name);
    }
  }
  const values = [...variables].map((name) => `${name}:${computed.getPropertyValue(name).trim()}`);
  return `svg{${values.join(';')}}\n${rules.join('\n')}`;
}

export function svgText(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const style = document.createElementNS('http://www.w3.org/2000/svg', 'style');
  style.textContent = styleOf(document.styleSheets, document.documentElement);
  copy.prepend(style);
  return new XMLSerializer().serializeToString(copy);
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function saveSvg(drawing: SVGSVGElement, name: string): void {
  save(new Blob([svgText(drawing)], { type: 'image/svg+xml' }), `${name}.svg`);
}

// Browsers draw no picture of more pixels than this.
const mostPixels = 100_000_000;
const mostSide = 16000;

export async function savePng(drawing: SVGSVGElement, name: string): Promise<void> {
  const width = Number(drawing.getAttribute('width'));
  const height = Number(drawing.getAttribute('height'));
  const scale = Math.min(2, mostSide / width, mostSide / height, Math.sqrt(mostPixels / (width * height)));
  const address = URL.createObjectURL(new Blob([svgText(drawing)], { type: 'image/svg+xml' }));
  const image = new Image(width, height);
  await new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = () => reject(new Error('the drawing could not be made into a picture'));
    image.src = address;
  });
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  await new Promise<void>((resolve) => {
    canvas.toBlob((blob) => {
      if (blob !== null) save(blob, `${name}.png`);
      resolve();
    }, 'image/png');
  });
}

export function fileName(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return name === '' ? 'nika' : name;
}
