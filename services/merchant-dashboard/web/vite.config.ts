import { defineConfig } from 'vite';
import browsers from '../../../.configs/browsers.json' with { type: 'json' };

/** The backend of `npm start`, for `vite dev` beside it. */
const BACKEND = 'http://127.0.0.1:8082';

/** A component that changes under `vite dev` keeps its state; a build needs no plugin. */
export default defineConfig(async ({ command }) => ({
  plugins: command === 'serve' ? [(await import('@vitejs/plugin-react')).default()] : [],
  oxc: { jsx: { runtime: 'automatic' as const } },
  // The backend puts a fresh nonce in the place of this word with every answer.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist',
    target: Object.entries(browsers.merchants.engines).map((engine) => engine.join('')),
    // Inlined files would be data: addresses, which the content security policy does not let in.
    assetsInlineLimit: 0,
    manifest: true,
    // One file of what every page needs at once: each file of its own costs a slow network a round trip or more.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial' as const] }] } },
    },
  },
  server: { proxy: { '/api': BACKEND } },
}));
