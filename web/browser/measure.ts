// How long large pages take to open and to step, beside an empty page in the same browser: npm run measure.
import { readFileSync, writeFileSync } from 'node:fs';
import { openBrowser } from './browser';
import { largePage } from './large';
import { folder, nika } from './programs';

const browser = await openBrowser();
const made = nika('report', 'zyzzyva-fork', '-o', 'zyzzyva-fork.html');
if (made.code !== 0) throw new Error(made.err);
const template = readFileSync(`${folder}/zyzzyva-fork.html`, 'utf8')
  .replace(/(<script type="application\/json" id="nika-document">)[^<]*/, '$1"NIKA_DOCUMENT"');

// From navigation until the page has been painted with the diagram in it.
async function opened(file: string): Promise<number> {
  const page = await browser.newPage();
  await page.goto(`file://${file}`);
  const ms = await page.evaluate(() => new Promise<number>((resolve) => {
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now()), 0));
  }));
  await page.close();
  return ms;
}

const median = (numbers: number[]): number => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

// Milliseconds of script and layout for one step forward, and of the slowest of a hundred.
async function stepped(file: string): Promise<{ middle: number; slowest: number }> {
  const page = await browser.newPage();
  await page.goto(`file://${file}`);
  const times = await page.evaluate(async () => {
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    const press = (key: string): boolean => dispatchEvent(new KeyboardEvent('keydown', { key }));
    press('Home');
    for (let i = 0; i < 500; i++) press('ArrowRight');
    await frame();
    const spent: number[] = [];
    for (let i = 0; i < 100; i++) {
      const begin = performance.now();
      press('ArrowRight');
      document.body.getBoundingClientRect();
      spent.push(performance.now() - begin);
      await frame();
    }
    return spent;
  });
  await page.close();
  return { middle: median(times), slowest: Math.max(...times) };
}

writeFileSync(`${folder}/empty.html`, '<!doctype html><title>empty</title><p>nothing</p>');
const empty = median([await opened(`${folder}/empty.html`), await opened(`${folder}/empty.html`),
  await opened(`${folder}/empty.html`)]);
console.log(`an empty page opens in ${empty.toFixed(0)} ms`);
for (const count of [523, 10_000, 100_000]) {
  const file = `${folder}/events-${count}.html`;
  if (count === 523) writeFileSync(file, readFileSync(`${folder}/zyzzyva-fork.html`));
  else writeFileSync(file, template.replace('"NIKA_DOCUMENT"', () => JSON.stringify(largePage(count))));
  const times = [await opened(file), await opened(file), await opened(file)];
  const step = await stepped(file);
  console.log(`${count} events: open in ${median(times).toFixed(0)} ms, ${(median(times) / empty).toFixed(1)} times ` +
    `an empty page; a step takes ${step.middle.toFixed(1)} ms, at most ${step.slowest.toFixed(1)} ms`);
}
await browser.close();
