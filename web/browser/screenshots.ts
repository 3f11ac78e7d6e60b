// Pictures of pages for the documentation: npm run pictures -- PAGES FOLDER, after ./dev gallery PAGES.
import { openBrowser } from './browser';

const [pages, target] = process.argv.slice(2);
if (pages === undefined || target === undefined)
  throw new Error('expected the folder of pages and the one for pictures');
const shots: { name: string; file: string; width: number; height: number; fragment: string }[] = [
  { name: 'report-fork', file: 'zyzzyva-fork', width: 1360, height: 1010, fragment: '' },
  { name: 'report-loop', file: 'linear-pbft-unresponsive', width: 1360, height: 1010, fragment: '' },
  { name: 'report-automaton', file: 'bv-broadcast-broken', width: 1200, height: 700, fragment: '' },
];
const browser = await openBrowser();
for (const shot of shots) {
  const page = await browser.newPage();
  await page.setViewportSize({ width: shot.width, height: shot.height });
  await page.goto(`file://${pages}/${shot.file}.html${shot.fragment}`);
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${target}/${shot.name}.png` });
  await page.close();
}
await browser.close();
