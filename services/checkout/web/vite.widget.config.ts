import { defineConfig } from 'vite';

/** `vite build -c vite.widget.config.ts`: the loader as one classic script, to `dist/widget/widget.js`. */
export default defineConfig({
  publicDir: false,
  build: {
    target: 'es2022',
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
