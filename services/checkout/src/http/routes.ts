import { SESSION_TOKEN, type SigningKey } from '@gp/contracts';
import type { Route } from '@gp/http';

/** How long a client may cache the keys: no longer than a new one is published before it signs. */
const KEEP_SECONDS = 300;

/** Every route of checkout's HTTP port. */
export function routes({ listKeys }: { listKeys: () => Promise<readonly SigningKey[]> }): Route[] {
  return [
    {
      method: 'GET',
      path: '/.well-known/jwks.json',
      async handle() {
        const keys = (await listKeys()).map(({ mode: _mode, ...key }) => ({
          ...key,
          alg: SESSION_TOKEN.alg,
          use: 'sig',
        }));
        const headers = { 'Cache-Control': `public, max-age=${KEEP_SECONDS}` };
        return { status: 200, headers, contentType: 'application/jwk-set+json', body: { keys } };
      },
    },
  ];
}
