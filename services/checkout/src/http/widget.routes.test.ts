import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHttpApp } from '@gp/http';
import { readWidgetFiles } from './widget-files.ts';
import { widgetRoutes } from './widget.routes.ts';

let server: Server;
let home: string;

beforeAll(async () => {
  const files = await readWidgetFiles(resolve(import.meta.dirname, '../../web/widget'));
  server = createServer(createHttpApp({ routes: widgetRoutes(files) })).listen(0, '127.0.0.1');
  await once(server, 'listening');
  home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await once(server, 'close');
});

describe('the script of the widget', () => {
  it('the script of the widget has an address that may be kept for ever and a published hash that is its own', async () => {
    const manifest = (await (await fetch(`${home}/widget/manifest.json`)).json()) as {
      versions: { path: string; integrity: string }[];
    };
    expect(manifest.versions.length).toBeGreaterThan(0);
    for (const { path, integrity } of manifest.versions) {
      const script = await fetch(home + path);
      const code = await script.text();
      expect(integrity).toBe(`sha384-${createHash('sha384').update(code).digest('base64')}`);
      expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      // Without it a browser cannot check the hash of a script from another origin.
      expect(script.headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  it('the widget has a channel that is the newest version, kept for minutes only and then asked for by its tag', async () => {
    const { latest } = (await (await fetch(`${home}/widget/manifest.json`)).json()) as { latest: string };
    const channel = await fetch(`${home}/widget/v1.js`);
    const pinned = await fetch(`${home}/widget/${latest}/widget.js`);
    expect(await channel.text()).toBe(await pinned.text());
    expect(channel.headers.get('cache-control')).toBe('public, max-age=300');
    const tag = channel.headers.get('etag') ?? '';
    const again = await fetch(`${home}/widget/v1.js`, { headers: { 'if-none-match': `"other", W/${tag}` } });
    expect(again.status).toBe(304);
  });

  it('the script of the widget has its types', async () => {
    const types = await fetch(`${home}/widget/v1.d.ts`);
    expect(await types.text()).toContain('ServiceGroupPay: Factory');
  });

  it.each(['0.0.0', '..%2Fv1', '__proto__', 'constructor'])(
    'the script of the widget has no version %s',
    async (version) => {
      const answer = await fetch(`${home}/widget/${version}/widget.js`);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ code: 'route_not_found' });
    },
  );
});
