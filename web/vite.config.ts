// Builds the page: one HTML file, with its script and its style inside of it and nothing to fetch.
import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

// Only this very script and this very style may run: what a document says can never become either of them.
function policy(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src blob: data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

const escaped = (text: string): string =>
  text.replace(/[^\x00-\x7f]/g, (c) => `\\${c.codePointAt(0)?.toString(16) ?? ''} `);

// The program takes the page as plain ASCII in pieces, so that no compiler cuts a letter in two.
function oneFile(): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      let script = '';
      let style = '';
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === 'chunk') script += file.code;
        else if (name.endsWith('.css')) style += escaped(String(file.source));
        else continue;
        delete bundle[name];
      }
      script = script.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');
      const page = bundle['index.html'];
      if (page === undefined || page.type !== 'asset') throw new Error('there is no index.html');
      const html = String(page.source)
        .replace(/<script type="module"[^>]*><\/script>/, '')
        .replace(/<link rel="stylesheet"[^>]*>/, '')
        .replace('NIKA_POLICY', () => policy(script, style))
        .replace('</head>', () => `<style>${style}</style></head>`)
        .replace('</body>', () => `<script type="module">${script}</script></body>`);
      const odd = /[^\x00-\x7f]/.exec(html);
      if (odd !== null) throw new Error(`the page holds "${odd[0]}", expected plain ASCII`);
      page.source = html;
    },
  };
}

export default defineConfig({
  plugins: [oneFile()],
  esbuild: { charset: 'ascii', legalComments: 'none' },
  build: { target: 'es2022', modulePreload: false, cssCodeSplit: false, assetsInlineLimit: 0, emptyOutDir: true },
  test: { testTimeout: 60000, hookTimeout: 60000 },
});
