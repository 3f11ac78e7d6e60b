// What one does with a page: step, filter, link, read as a table, print, save, in light and in dark.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, watchedPage, type Watched } from './browser';
import { folder, nika, pageOf } from './programs';

let browser: BrowserContext;
let watched: Watched;
let page: Page;
let address: string;
beforeAll(async () => {
  browser = await openBrowser();
  address = pageOf('zyzzyva-fork');
  watched = await watchedPage(browser);
  page = watched.page;
});
afterAll(async () => browser.close());

const told = async (): Promise<string> => (await page.locator('.told').textContent()) ?? '';
async function at(fragment: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(address + fragment);
}

describe('stepping', () => {
  test('goes by event and by round, by key and by button', async () => {
    await at('#event=1');
    expect(await told()).toMatch(/^1 \/ 523/);
    await page.keyboard.press('ArrowRight');
    expect(await told()).toMatch(/^2 \/ 523/);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await told()).toMatch(/^1 \/ 523/);
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    expect(await told()).toContain('round 2');
    await page.keyboard.press('Shift+ArrowLeft');
    expect(await told()).toContain('round 1');
    await page.keyboard.press('End');
    expect(await told()).toMatch(/^523 \/ 523/);
    await page.getByRole('button', { name: 'Back by one event' }).click();
    expect(await told()).toMatch(/^522 \/ 523/);
    await page.keyboard.press('Home');
    await page.keyboard.press('.');
    expect(await told()).toMatch(/proposes|votes|timer|requests/);
  });
  test('what has not happened yet is faint, and the event is marked', async () => {
    await at('#event=30');
    expect(await page.locator('.d-window .d-future').count()).toBeGreaterThan(50);
    expect(await page.locator('.d-window .d-now').count()).toBeGreaterThan(0);
    await page.keyboard.press('End');
    expect(await page.locator('.d-window .d-future').count()).toBe(0);
  });
  test('plays from the beginning, and pauses', async () => {
    await at('');
    await page.keyboard.press('End');
    await page.keyboard.press(' ');
    await page.waitForFunction(() => /^[3-9] \//.test(document.querySelector('.told')?.textContent ?? ''));
    await page.keyboard.press(' ');
    expect(await page.getByRole('button', { name: 'Play or pause' }).textContent()).toContain('Play');
  });
  test('the steps of the attack follow', async () => {
    const step = async (): Promise<string> => (await page.locator('.steps [aria-current]').textContent()) ?? '';
    await at('#event=1');
    expect(await step()).toMatch(/^View 1/);
    await page.getByRole('button', { name: /^View 3/ }).click();
    expect(await step()).toMatch(/^View 3/);
    expect(await told()).toContain('round 3');
  });
});

describe('a page opens', () => {
  test('where two commits disagree', async () => {
    await at('');
    expect(await told()).toContain('commits c1.1 at height 1');
  });
  test('at the event of its address, which follows the position', async () => {
    await at('#event=42');
    expect(await told()).toMatch(/^42 \//);
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => location.hash === '#event=43');
    await page.evaluate(() => void (location.hash = '#run=2&event=7'));
    await page.waitForFunction(() => /^7 \//.test(document.querySelector('.told')?.textContent ?? ''));
    expect(await page.getByRole('button', { name: 'repaired: holds' }).getAttribute('aria-pressed')).toBe('true');
    await at('#event=999999&run=77');
    expect(await page.locator('.runs [aria-pressed="true"]').textContent()).toBe('side by side');
    expect(watched.complaints).toEqual([]);
  });
});

describe('what is shown', () => {
  test('can be chosen by kind, by fate and by seat', async () => {
    await at('');
    const all = await page.locator('.d-window .d-arrow').count();
    const lost = await page.locator('.d-window .d-arrow.d-lost').count();
    await page.getByLabel(/^lost/).uncheck();
    expect(await page.locator('.d-window .d-arrow').count()).toBe(all - lost);
    await page.getByLabel(/^lost/).check();
    await page.getByLabel(/^view-change \(/).uncheck();
    expect(await page.locator('.d-window .d-arrow').count()).toBeLessThan(all);
    await page.getByLabel(/^view-change \(/).check();
    await page.getByLabel('c1', { exact: true }).uncheck();
    expect(await page.locator('.d-turn.d-dim').count()).toBeGreaterThan(0);
    await page.getByLabel('c1', { exact: true }).check();
    expect(await page.locator('.d-window .d-arrow').count()).toBe(all);
  });
  test('pointing at a message tells its fields', async () => {
    await at('');
    await page.locator('.d-window .d-arrow.d-lost').first().dispatchEvent('mouseover');
    expect(await page.locator('.here').textContent()).toMatch(/Pointed at: .* is lost/);
  });
  test('is there as a table too', async () => {
    await at('#event=460');
    await page.getByRole('button', { name: 'Show the events as a table' }).click();
    expect(await page.locator('tr[aria-current]').textContent()).toContain('c1 commits c1.1 at height 1');
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('tr[aria-current] button').textContent()).toBe('461');
    expect(await page.locator('.diagram').isHidden()).toBe(true);
  });
  test('in light and in dark, by choice or as the system wants it', async () => {
    const colour = async (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await at('');
    expect(await colour()).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await colour()).toBe('rgb(18, 22, 28)');
    await page.getByRole('button', { name: 'Light or dark' }).click();
    expect(await colour()).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ colorScheme: 'light' });
  });
});

describe('side by side', () => {
  test('the repaired protocol stands beside the flawed one, at the same round', async () => {
    await at('#run=3&event=100');
    expect(await page.locator('.diagram').count()).toBe(2);
    expect(await page.locator('.told').textContent()).toContain('round 1');
    const future = page.locator('.diagram').nth(1).locator('.d-turn.d-future');
    const before = await future.count();
    expect(before).toBeGreaterThan(0);
    await page.keyboard.press('End');
    expect(await future.count()).toBeLessThan(before);
    expect(await page.locator('aside').textContent()).toContain('agreement: holds');
  });
});

describe('on paper and as a file', () => {
  test('it is one page', async () => {
    await at('');
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page[^s]/g)).toHaveLength(1);
  });
  test('SVG and PNG hold the whole drawing', async () => {
    await at('');
    const [svg] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the drawing as SVG' }).click(),
    ]);
    expect(svg.suggestedFilename()).toBe('zyzzyva-fork.svg');
    const text = readFileSync((await svg.path())!, 'utf8');
    expect(text).toContain('--bg:#fff');
    expect(text.match(/class="d-arrow/g)!.length).toBeGreaterThan(200);
    const [png] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the drawing as PNG' }).click(),
    ]);
    const bytes = readFileSync((await png.path())!);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(bytes.length).toBeGreaterThan(50000);
    expect(watched.complaints).toEqual([]);
  });
});

describe('a hostile file', () => {
  const evil = '</script><script>window.stolen=1</script><img src=x onerror="window.stolen=2">\u2028&lt;';
  test('is shown as text and never runs', async () => {
    nika(
      'twins',
      'diembft',
      '--bug',
      'quorum-2f',
      '--rounds',
      '3',
      '--stop-at-first',
      '--quiet',
      '--findings',
      'found',
    );
    const [name] = readdirSync(`${folder}/found`);
    const finding = JSON.parse(readFileSync(`${folder}/found/${name}`, 'utf8'));
    finding.program = evil;
    finding.trace.kinds = finding.trace.kinds.map((kind: string) => kind + evil);
    for (const round of finding.scenario.rounds) round.note = evil;
    writeFileSync(`${folder}/evil.json`, JSON.stringify(finding));
    const made = nika('report', 'evil.json', '-o', 'evil.html');
    expect(made.err).toBe('');
    expect(readFileSync(`${folder}/evil.html`, 'utf8')).not.toContain('</script><script>window.stolen');
    await page.goto(`file://${folder}/evil.html`);
    await page.getByRole('button', { name: 'Show the events as a table' }).click();
    await page.keyboard.press('Home');
    expect(await page.locator('footer').textContent()).toContain('window.stolen=1');
    expect(await page.evaluate(() => 'stolen' in window)).toBe(false);
    expect(watched.complaints).toEqual([]);
    expect(watched.requests).toEqual([]);
  });
  test('that got into the page by force is stopped by its policy', async () => {
    await at('');
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.stolen = 3';
      document.body.append(script);
    });
    expect(await page.evaluate(() => 'stolen' in window)).toBe(false);
    expect(watched.complaints.splice(0).join()).toContain('Content Security Policy');
  });
});
