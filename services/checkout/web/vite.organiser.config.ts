import { defineConfig } from 'vite';
import browsers from '../../../.configs/browsers.json' with { type: 'json' };
import { LANGUAGES } from './src/bootstrap.ts';

/** The sentences of each language that only this page has; those of the payers' page it loads from their files. */
const sentences = Object.fromEntries(
  LANGUAGES.map((language) => [language, `src/i18n/organiser/${language}.ts`]),
);

/**
 * `vite build -c vite.organiser.config.ts`: the files of the organiser's page, to `dist/organiser`. A build of its own, so
 * that what payers load has no part of it and is not cut into more files because of it.
 */
export default defineConfig({
  base: '/assets/',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: Object.entries(browsers.payers.engines).map((engine) => engine.join('')),
    outDir: 'dist/organiser',
    emptyOutDir: true,
    assetsDir: '',
    manifest: true,
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { organiser: 'src/organiser.tsx', ...sentences },
      // Names of their own: the files of both builds have one folder in addresses.
      output: { entryFileNames: 'organiser-[name]-[hash].js', chunkFileNames: 'organiser-[name]-[hash].js' },
      preserveEntrySignatures: 'exports-only',
    },
  },
});
