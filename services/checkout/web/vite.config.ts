import { defineConfig, type Plugin } from 'vite';
import browsers from '../../../.configs/browsers.json' with { type: 'json' };
import { LANGUAGES } from './src/bootstrap.ts';
import { laterSentences, splitSentences } from './vite.sentences.ts';

/** The sentences of each language, which a document links to: files that the page's script does not name. */
const sentences = Object.fromEntries(
  LANGUAGES.flatMap((language) => [
    [language, `src/i18n/${language}.ts`],
    [`later-${language}`, laterSentences(language)],
  ]),
);

/**
 * Makes the `import()` of a card form the browser's own: what Vite wraps around it costs payers 0.6 kB, and does nothing
 * where the imported file has no styles. Fails the build when one has.
 */
const bareImports: Plugin = {
  name: 'bare-imports',
  enforce: 'pre',
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : null),
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk' && file.isDynamicEntry && file.viteMetadata?.importedCss.size)
        this.error(`${file.fileName} has styles, which nothing loads`);
  },
};

/**
 * Elements are made by Preact's `h`, which every file that has some imports: the automatic runtime has a function of its own, and
 * costs payers 0.3 kB more. Entries without elements import nothing, so that Preact stays in one file with the page.
 */
const importedElements: Plugin = {
  name: 'imported-elements',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('.tsx') && /<\/|\/>/.test(code) ? `import { h, Fragment } from 'preact';${code}` : null,
};

/**
 * `vite build`: the browser's files, named by their content, to `dist/client`, with `.vite/manifest.json`, from
 * which the server reads their names. `vite build --ssr src/server.tsx`: the same components for the server, to
 * `dist/server`.
 */
export default defineConfig(({ isSsrBuild }) => ({
  base: '/assets/',
  publicDir: false,
  plugins: [bareImports, importedElements, ...(isSsrBuild ? [] : [splitSentences])],
  oxc: { jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' } },
  define: { 'window.__PREACT_SIGNALS_DEVTOOLS__': 'undefined' },
  build: {
    target: Object.entries(browsers.payers.engines).map((engine) => engine.join('')),
    outDir: 'dist/client',
    emptyOutDir: true,
    assetsDir: '',
    manifest: !isSsrBuild,
    // A chunk that is fetched later needs no other that is not there yet.
    modulePreload: false,
    assetsInlineLimit: 0,
    ...(!isSsrBuild && {
      rolldownOptions: {
        input: {
          page: 'src/page.tsx',
          embed: 'src/embed.tsx',
          friends: 'src/friends.ts',
          payment: 'src/payment.ts',
          ...sentences,
        },
        preserveEntrySignatures: 'exports-only',
      },
    }),
  },
  // One file, so that the server needs no other.
  ssr: { noExternal: true },
}));
