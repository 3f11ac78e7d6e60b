// The page: reads the document that stands in it and shows it. A pure function of that document and of the address.
import './style.css';
import './drawing.css';
import { showAutomaton } from './automaton';
import { pageVersion, type Page } from './document';
import { html } from './dom';
import { showFinding } from './finding';

function documentIn(source: Document): Page {
  const page = JSON.parse(source.getElementById('nika-document')?.textContent ?? 'null') as Page | string | null;
  if (page === null || typeof page === 'string' || page.format !== 'nika-page')
    throw new Error('this page holds no document: nika report puts one into it');
  if (page.version !== pageVersion)
    throw new Error(`the document is of version ${page.version}, expected ${pageVersion}`);
  return page;
}

function show(root: HTMLElement): void {
  const page = documentIn(document);
  document.title = `${page.title} \u2014 Nika`;
  if (page.automaton !== null) showAutomaton(root, page, page.automaton);
  else showFinding(root, page);
}

const root = document.getElementById('page') ?? document.body;
try {
  show(root);
} catch (error) {
  root.replaceChildren(
    html(
      'p',
      { role: 'alert', class: 'failure' },
      `This page cannot be shown: ${error instanceof Error ? error.message : String(error)}`,
    ),
  );
}
