import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The backend of `npm start`, for `vite dev` beside it. */
const BACKEND = 'http://127.0.0.1:8082';

export default defineConfig({
  plugins: [react()],
  // The backend puts a fresh nonce in the place of this word with every answer.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist',
    target: 'es2023',
    // Inlined files would be data: addresses, which the content security policy does not let in.
    assetsInlineLimit: 0,
    manifest: true,
  },
  server: { proxy: { '/api': BACKEND } },
});
