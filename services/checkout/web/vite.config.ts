import { defineConfig } from 'vite';
import { LANGUAGES } from './src/bootstrap.ts';

/** The sentences of each language, which a document links to: files that the page's script does not name. */
const sentences = Object.fromEntries(LANGUAGES.map((language) => [language, `src/i18n/${language}.ts`]));

/**
 * `vite build`: the browser's files, named by their content, to `dist/client`, with `.vite/manifest.json`, from
 * which the server reads their names. `vite build --ssr src/server.tsx`: the same components for the server, to
 * `dist/server`.
 */
export default defineConfig(({ isSsrBuild }) => ({
  base: '/assets/',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    outDir: 'dist/client',
    emptyOutDir: true,
    assetsDir: '',
    manifest: !isSsrBuild,
    // A chunk that is fetched later needs no other that is not there yet.
    modulePreload: false,
    assetsInlineLimit: 0,
    ...(!isSsrBuild && {
      rolldownOptions: {
        input: { page: 'src/page.tsx', embed: 'src/embed.tsx', ...sentences },
        preserveEntrySignatures: 'exports-only',
      },
    }),
  },
  // One file, so that the server needs no other.
  ssr: { noExternal: true },
}));
