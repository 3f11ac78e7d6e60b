// Runs the program for the pages that tests look at.
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const program = resolve(process.env['NIKA_PROGRAM'] ?? '../build/release/nika');
export const folder = mkdtempSync(join(tmpdir(), 'nika-pages-'));

export interface Said {
  code: number | null;
  out: string;
  err: string;
}

export function nika(...words: string[]): Said {
  const done = spawnSync(program, words, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (done.error !== undefined) throw new Error(`${program}: ${done.error.message}`);
  return { code: done.status, out: done.stdout, err: done.stderr };
}

export interface KnownAttack {
  name: string;
  property: string;
}

export function attacks(): KnownAttack[] {
  return (JSON.parse(nika('attack', '--list', '--json').out) as { attacks: KnownAttack[] }).attacks;
}

// A page with the document in it, and where it is.
export function pageOf(name: string): string {
  const file = join(folder, `${name}.html`);
  const said = nika('report', name, '-o', file);
  if (said.code !== 0) throw new Error(`nika report ${name}: ${said.err}`);
  return `file://${file}`;
}
