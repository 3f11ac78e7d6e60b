// The pages of all attacks in a real browser: they open without a complaint, fetch nothing, and draw what happened.
import { readFileSync, writeFileSync } from 'node:fs';
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
  return result.violations.map(
    (v) =>
      `${v.id}: ${v.nodes
        .slice(0, 3)
        .map((n) => n.target.join(' '))
        .join(', ')}`,
  );
}

// The whole drawing is made for paper.
async function wholeDrawing(watched: Watched): Promise<Record<string, number>> {
  await watched.page.emulateMedia({ media: 'print' });
  await watched.page.waitForSelector('.print svg', { state: 'attached' });
  const counts = await watched.page.evaluate(() => {
    const drawing = document.querySelector('.print svg')!;
    const count = (selector: string): number => drawing.querySelectorAll(selector).length;
    return {
      lanes: count('.d-lane'),
      heads: count('.d-head'),
      bands: count('.d-band'),
      down: count('.d-down'),
      delivered: count('.d-arrow.d-delivered'),
      late: count('.d-arrow.d-late'),
      again: count('.d-arrow.d-again'),
      lost: count('.d-arrow.d-lost'),
      waiting: count('.d-arrow.d-waiting'),
      changed: count('.d-arrow.d-changed'),
      conflicts: count('.d-conflict .d-committed'),
      loops: count('.d-loop'),
      commits: count('.d-shape.d-committed'),
      quorums: count('.d-shape.d-certified'),
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
    test(`${attack.name} opens and draws its events`, async () => {
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
      await watched.page.getByRole('button', { name: 'repaired' }).click();
      expect(watched.complaints).toEqual([]);
      expect(watched.requests).toEqual([]);
      await watched.page.close();
    });
  }
});

describe('nothing is in the way of who does not see the drawing', () => {
  // A fork, a loop, ticks and steps, in light and in dark.
  for (const name of ['zyzzyva-fork', 'two-phase-hotstuff-livelock', 'sync-hotstuff-force-lock', 'mmr14-coin']) {
    test(name, async () => {
      const watched = await watchedPage(browser);
      await watched.page.goto(pageOf(name));
      expect(await violationsIn(watched)).toEqual([]);
      await watched.page.emulateMedia({ colorScheme: 'dark' });
      await watched.page.getByRole('button', { name: 'Table' }).click();
      expect(await violationsIn(watched)).toEqual([]);
      await watched.page.close();
    });
  }
});

describe('known findings are drawn as they are', () => {
  const nothing = { again: 0, changed: 0, down: 0, late: 0, loops: 0, lost: 0, waiting: 0, conflicts: 0, commits: 0 };
  const known: Record<string, Record<string, number>> = {
    // Both clients take c2.1 and then c1.1 for the first request.
    'zyzzyva-fork': { lanes: 7, bands: 3, delivered: 190, lost: 62, conflicts: 4, commits: 6, quorums: 18 },
    // B, C and D commit A'1, and after the recovery A'1b.
    'diembft-forgotten-preferred-round': {
      lanes: 5,
      bands: 8,
      delivered: 84,
      lost: 104,
      down: 1,
      conflicts: 6,
      commits: 10,
      quorums: 5,
    },
    'two-phase-hotstuff-livelock': { lanes: 5, bands: 19, delivered: 498, late: 2, lost: 152, loops: 1, quorums: 11 },
    'pbft-empty-digest': { lanes: 6, bands: 1, delivered: 146, changed: 2, conflicts: 3, commits: 19, quorums: 15 },
    // What the liars B and A commit breaks nothing: C and D disagree.
    'sync-hotstuff-force-lock': {
      lanes: 7,
      bands: 18,
      delivered: 290,
      late: 16,
      lost: 90,
      waiting: 12,
      conflicts: 2,
      commits: 8,
      quorums: 12,
    },
  };
  for (const [name, expected] of Object.entries(known)) {
    test(name, async () => {
      const watched = await watchedPage(browser);
      await watched.page.goto(pageOf(name));
      expect(await wholeDrawing(watched)).toEqual({ ...nothing, heads: expected['lanes'], ...expected });
      await watched.page.close();
    });
  }
});

describe('what the network does to messages', () => {
  // Votes of D come twice, those of C come late, and what A sends to D is withheld until the network heals.
  test('each fate is drawn, and the panel tells it', async () => {
    const attack = JSON.parse(readFileSync('../attacks/diembft-quorum-2f.json', 'utf8'));
    attack.scenario.rules = [
      { rounds: '1', kinds: ['vote'], from: 'B', action: 'twice', by: 1 },
      { rounds: '1', kinds: ['vote'], from: 'C', action: 'late', by: 1 },
    ];
    writeFileSync(`${folder}/fates.json`, JSON.stringify(attack));
    const watched = await watchedPage(browser);
    expect(nika('report', 'fates.json', '-o', 'fates.html').err).toBe('');
    await watched.page.goto(`file://${folder}/fates.html`);
    const drawn = await wholeDrawing(watched);
    expect([drawn['again'], drawn['late']]).toEqual([2, 2]);
    await watched.page.locator('.d-window .d-again').first().dispatchEvent('mouseover');
    expect(await watched.page.locator('.here').textContent()).toContain('arrives a second time');
    await watched.page.locator('.d-window .d-late').first().dispatchEvent('mouseover');
    expect(await watched.page.locator('.here').textContent()).toContain('arrives late');
    await watched.page.close();
  });
  test('a lie shows the old and the new field', async () => {
    const watched = await watchedPage(browser);
    await watched.page.goto(pageOf('pbft-empty-digest'));
    expect(await watched.page.locator('.d-window .d-note-changed').first().textContent()).toMatch(/^.+: .+ \u2192 .+$/);
    await watched.page.close();
  });
});

describe('automata', () => {
  for (const model of ['bv-broadcast-broken', 'one-step-broken', 'reliable-broadcast-broken', 'dbft-broken']) {
    test(`${model} shows its counterexample step by step`, async () => {
      const file = `${folder}/${model}.html`;
      expect(nika('verify', `${process.cwd()}/../models/${model}.ta`, '--html', file).code).toBe(1);
      const watched = await watchedPage(browser);
      await watched.page.goto(`file://${file}`);
      const steps = (await watched.page.locator('tbody tr').count()) - 1;
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
