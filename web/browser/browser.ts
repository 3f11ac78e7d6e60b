// Chromium as Debian has it, without any network of its own, for tests and screenshots.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';

export interface Size {
  width: number;
  height: number;
}

export async function openBrowser(viewport: Size = { width: 1440, height: 900 }): Promise<BrowserContext> {
  return chromium.launchPersistentContext(mkdtempSync(join(tmpdir(), 'nika-page-')), {
    executablePath: process.env['NIKA_CHROMIUM'] ?? '/usr/bin/chromium',
    headless: true,
    viewport,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export interface Watched {
  page: Page;
  complaints: string[]; // of the console, and of scripts
  requests: string[]; // of anything but the file itself
}

// A page that keeps what it should not have: words on the console, and requests.
export async function watchedPage(context: BrowserContext): Promise<Watched> {
  const page = await context.newPage();
  const watched: Watched = { page, complaints: [], requests: [] };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') watched.complaints.push(message.text());
  });
  page.on('pageerror', (error) => watched.complaints.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith('file:') && !url.startsWith('blob:') && !url.startsWith('data:')) watched.requests.push(url);
  });
  return watched;
}
