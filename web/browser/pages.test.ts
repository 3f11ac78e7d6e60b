// The pages of all attacks in a real browser: they open without a complaint, fetch nothing, and draw what happened.
import axe from 'axe-core';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, watchedPage, type Watched } from './browser';
import { attacks, folder, nika, pageOf } from './programs';

let browser: BrowserContext;
beforeAll(async () => void (browser = await openBrowser()));
afterAll(async () => browser.close());

async function violationsIn(watched: Watched): Promise<string[]> {
  await watched.page.evaluate(axe.source);
  const result = (await watched.page.evaluate('axe.run(document)')) as axe.AxeResults;
  return result.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.target.join(' ')).join(', ')}`);
}

// The whole drawing is made for paper.
async function wholeDrawing(watched: Watched): Promise<Record<string, number>> {
  await watched.page.emulateMedia({ media: 'print' });
  await watched.page.waitForSelector('.print svg', { state: 'attached' });
  const counts = await watched.page.evaluate(() => {
    const drawing = document.querySelector('.print svg')!;
    const count = (selector: string): number => drawing.querySelectorAll(selector).length;
    return {
      lanes: count('.d-lane'), heads: count('.d-head'), bands: count('.d-band'), down: count('.d-down'),
      delivered: count('.d-arrow.d-delivered'), late: count('.d-arrow.d-late'), again: count('.d-arrow.d-again'),
      lost: count('.d-arrow.d-lost'), waiting: count('.d-arrow.d-waiting'), changed: count('.d-arrow.d-changed'),
      conflicts: count('.d-conflict .d-committed'), loops: count('.d-loop'),
      commits: count('.d-shape.d-committed'), quorums: count('.d-shape.d-certified'),
    };
  });
  await watched.page.emulateMedia({ media: 'screen' });
  return counts;
}

// The same counted from the trace as text, which other code writes.
function countedInTrace(name: string): { arrives: number; lost: number; rounds: number } {
  const lines = nika('replay', `${process.cwd()}/../attacks/${name}.json`, '--trace').out.split('\n');
  let [arrives, lost] = [0, 0];
  for (const line of lines) {
    const words = line.split(' ');
    if (words[2] === 'delivered' && words.find((w) => w.startsWith('from=')) !== `from=${words[1]}`) arrives++;
    if (words[2] === 'lost') lost++;
  }
  return { arrives, lost, rounds: lines.filter((line) => line.startsWith('network-round ')).length };
}

describe('every attack', () => {
  for (const attack of attacks()) {
    test(`${attack.name} opens, draws its events, and is accessible`, async () => {
      const watched = await watchedPage(browser);
      await watched.page.goto(pageOf(attack.name));
      const drawn = await wholeDrawing(watched);
      if (drawn['loops'] === 0) {
        const told = countedInTrace(attack.name);
        expect(drawn['delivered']! + drawn['late']! + drawn['again']!).toBe(told.arrives);
        expect(drawn['lost']).toBe(told.lost);
        if (told.rounds > 0) expect(drawn['bands']).toBe(told.rounds);
      }
      expect(drawn['lanes']).toBe(drawn['heads']);
      if (attack.property === 'agreement') expect(drawn['conflicts']).toBeGreaterThanOrEqual(2);
      expect(await violationsIn(watched)).toEqual([]);
      await watched.page.getByRole('button', { name: 'repaired' }).click();
      expect(watched.complaints).toEqual([]);
      expect(watched.requests).toEqual([]);
      await watched.page.close();
    });
  }
});

describe('known findings are drawn as they are', () => {
  const known: Record<string, Record<string, number>> = {
    'zyzzyva-fork': {},
    'diembft-forgotten-preferred-round': {},
    'two-phase-hotstuff-livelock': {},
    'pbft-empty-digest': {},
    'sync-hotstuff-force-lock': {},
  };
  for (const [name, expected] of Object.entries(known)) {
    test(name, async () => {
      const watched = await watchedPage(browser);
      await watched.page.goto(pageOf(name));
      expect(await wholeDrawing(watched)).toEqual(expected);
      await watched.page.close();
    });
  }
});

describe('automata', () => {
  for (const model of ['bv-broadcast-broken', 'one-step-broken', 'reliable-broadcast-broken', 'dbft-broken']) {
    test(`${model} shows its counterexample step by step`, async () => {
      const file = `${folder}/${model}.html`;
      expect(nika('verify', `${process.cwd()}/../models/${model}.ta`, '--html', file).code).toBe(1);
      const watched = await watchedPage(browser);
      await watched.page.goto(`file://${file}`);
      const steps = await watched.page.locator('tbody tr').count() - 1;
      expect(steps).toBeGreaterThan(0);
      expect(await watched.page.locator('output').textContent()).toContain(`step ${steps} of ${steps}`);
      await watched.page.keyboard.press('Home');
      expect(await watched.page.locator('output').textContent()).toContain('The run begins.');
      await watched.page.keyboard.press('ArrowRight');
      expect(await watched.page.locator('.d-rule.d-now').count()).toBe(1);
      expect(await violationsIn(watched)).toEqual([]);
      expect(watched.complaints).toEqual([]);
      expect(watched.requests).toEqual([]);
      await watched.page.close();
    });
  }
});
