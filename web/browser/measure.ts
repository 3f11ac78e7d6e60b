// How long large pages take to open and to step, beside an empty page in the same browser: npm run measure.
import { readFileSync, writeFileSync } from 'node:fs';
import { openBrowser } from './browser';
import { largePage } from './large';
import { folder, nika } from './programs';

const browser = await openBrowser();
const made = nika('report', 'zyzzyva-fork', '-o', 'zyzzyva-fork.html');
if (made.code !== 0) throw new Error(made.err);
const template = readFileSync(`${folder}/zyzzyva-fork.html`, 'utf8').replace(
  /(<script type="application\/json" id="nika-document">)[^<]*/,
  '$1"NIKA_DOCUMENT"',
);

// From navigation until the page has been painted with the diagram in it.
async function opened(file: string): Promise<number> {
  const page = await browser.newPage();
  await page.goto(`file://${file}`);
  const ms = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now()), 0));
      }),
  );
  await page.close();
  return ms;
}

const median = (numbers: number[]): number => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

interface Stepping {
  middle: number; // milliseconds of script and layout for one step forward
  slowest: number;
  frames: number; // a second, with a step in each of them
}

// Near the end, where most has happened.
async function stepped(file: string): Promise<Stepping> {
  const page = await browser.newPage();
  await page.goto(`file://${file}`);
  const result = await page.evaluate(async () => {
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    const press = (key: string): boolean => dispatchEvent(new KeyboardEvent('keydown', { key }));
    press('End');
    for (let i = 0; i < 130; i++) press('ArrowLeft');
    await frame();
    const spent: number[] = [];
    const first = await frame();
    let last = first;
    for (let i = 0; i < 120; i++) {
      const begin = performance.now();
      press('ArrowRight');
      document.body.getBoundingClientRect();
      spent.push(performance.now() - begin);
      last = await frame();
    }
    return { spent, frames: 120000 / (last - first) };
  });
  await page.close();
  return { middle: median(result.spent), slowest: Math.max(...result.spent), frames: result.frames };
}

writeFileSync(`${folder}/empty.html`, '<!doctype html><title>empty</title><p>nothing</p>');
const empty = median([
  await opened(`${folder}/empty.html`),
  await opened(`${folder}/empty.html`),
  await opened(`${folder}/empty.html`),
]);
const free = await stepped(`${folder}/empty.html`);
console.log(`an empty page opens in ${empty.toFixed(0)} ms and makes ${free.frames.toFixed(0)} frames a second`);
for (const count of [523, 10_000, 100_000]) {
  const file = `${folder}/events-${count}.html`;
  if (count === 523) writeFileSync(file, readFileSync(`${folder}/zyzzyva-fork.html`));
  else
    writeFileSync(
      file,
      template.replace('"NIKA_DOCUMENT"', () => JSON.stringify(largePage(count))),
    );
  const times = [await opened(file), await opened(file), await opened(file)];
  const step = await stepped(file);
  console.log(
    `${count} events: open in ${median(times).toFixed(0)} ms, ${(median(times) / empty).toFixed(1)} times ` +
      `an empty page; a step takes ${step.middle.toFixed(1)} ms, at most ${step.slowest.toFixed(1)} ms, ` +
      `${step.frames.toFixed(0)} frames a second`,
  );
}
await browser.close();
