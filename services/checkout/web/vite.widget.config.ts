import { defineConfig } from 'vite';
import browsers from '../../../.configs/browsers.json' with { type: 'json' };

/** `vite build -c vite.widget.config.ts`: the loader as one classic script, to `dist/widget/widget.js`. */
export default defineConfig({
  publicDir: false,
  build: {
    target: Object.entries(browsers.payers.engines).map((engine) => engine.join('')),
    outDir: 'dist/widget',
    emptyOutDir: true,
    minify: true,
    modulePreload: { polyfill: false },
    lib: {
      entry: 'widget/src/main.ts',
      name: 'GroupPayWidget',
      formats: ['iife'],
      fileName: () => 'widget.js',
    },
  },
});
