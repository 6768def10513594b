import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Script } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { catalogue, errorCodes } from '@gp/errors';
import { createHttpApp, listen } from '@gp/http';
import { openApi } from '@gp/reference';
import { referenceRoutes } from '../src/http/reference.routes.ts';
import type { RouteParts } from '../src/http/route-parts.ts';
import { routes } from '../src/http/routes.ts';

let server: Awaited<ReturnType<typeof listen>>;
let base: string;
let now = Date.parse('2026-02-27T23:59:59Z');

beforeAll(async () => {
  const addresses = { api: 'https://api.example', checkout: 'https://pay.example' };
  const app = createHttpApp({ routes: referenceRoutes(addresses, () => now), docsUrl: '/docs' });
  server = await listen(app, { host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${server.port}`;
});
afterAll(() => server?.close(1_000));

describe('openapi.json', () => {
  it('openapi.json has every served route and no other', async () => {
    const served = routes({ authenticate: () => Promise.reject(new Error()) } as unknown as RouteParts);
    const { paths } = (await openApi()) as { paths: Record<string, Record<string, unknown>> };
    const published = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(published.sort()).toEqual(served.map(({ method, path }) => `${method} ${path}`).sort());
  });
});

describe('the description of the interface', () => {
  it.each([
    ['/openapi.json', 'application/json; charset=utf-8'],
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/try-it.js', 'text/javascript; charset=utf-8'],
  ])(
    'the path %s is open to everybody, may be kept, and is sent again only when it changed',
    async (path, type) => {
      const first = await fetch(base + path);
      expect(first.status).toBe(200);
      expect(first.headers.get('content-type')).toBe(type);
      expect(first.headers.get('cache-control')).toBe('public, max-age=300');
      const etag = String(first.headers.get('etag'));
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await fetch(base + path, { headers: { 'if-none-match': known } });
        expect({ status: again.status, text: await again.text() }).toEqual({ status: 304, text: '' });
      }
      expect((await fetch(base + path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
      const plain = await fetch(base + path, { headers: { 'accept-encoding': 'identity' } });
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(await plain.text()).toBe(await first.text());
    },
  );

  it('the page requests nothing from elsewhere, and its policy lets in its own style, its own script and that of the form alone', async () => {
    const answer = await fetch(`${base}/docs`);
    const html = await answer.text();
    expect(html).not.toMatch(/<(?:script\s|link|img|iframe|object)\b|\son\w+=|@import|url\(/i);
    const [script, ...more] = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, text = '']) => text);
    expect(more).toEqual([]);
    expect(script).not.toMatch(/fetch|XMLHttpRequest|Storage|cookie|import/);
    const style = /<style>([^]*?)<\/style>/.exec(html)?.[1] ?? '';
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const served = await fetch(`${base}/docs/try-it.js`);
    expect(served.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const form = await served.text();
    expect(answer.headers.get('content-security-policy')).toBe(
      [
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "connect-src 'self'",
        `script-src ${hash(script ?? '')} ${hash(form)}`,
        `style-src ${hash(style)}`,
      ].join('; '),
    );
    const [, integrity] = /data-integrity="([^"]+)"/.exec(html) ?? [];
    expect(`'${integrity?.replace('&#43;', '+')}'`).toBe(hash(form));
  });

  it('the script of the form stays the same over midnight, keeps no key beyond the tab and writes no HTML', async () => {
    const read = async () => (await fetch(`${base}/docs/try-it.js`)).text();
    now = Date.parse('2026-02-27T23:59:59Z');
    const form = await read();
    now += 1_000;
    expect(await read()).toBe(form);
    expect(form).not.toMatch(
      /localStorage|cookie|innerHTML|insertAdjacentHTML|document\.write|eval|^import|^export/m,
    );
    expect(() => new Script(form)).not.toThrow();
  });

  it.each([
    ['/docs', 83_000],
    ['/docs/try-it.js', 10_000],
  ])('a reader loads %s with at most %i bytes, compressed', async (path, most) => {
    expect(gzipSync(await (await fetch(base + path)).text()).length).toBeLessThan(most);
  });

  it.each(['/openapi.json', '/docs'])(
    'the guides and examples of %s name the addresses of this installation',
    async (path) => {
      const text = await (await fetch(base + path)).text();
      expect(text).toContain('curl https://api.example/v1/group-payments');
      expect(text).toContain('https://pay.example/v1/group-payments/{id}/events');
      expect(text).not.toMatch(/\{base_url\}|\{checkout\}|\$BASE/);
    },
  );

  it.each(['/openapi.json', '/docs'])(
    'the examples of %s were made yesterday and expire tomorrow, also after midnight',
    async (path) => {
      const read = async () => {
        const answer = await fetch(base + path);
        const days = new Set((await answer.text()).match(/\b20\d\d-\d\d-\d\d(?=T)/g));
        return { days: [...days].sort(), etag: answer.headers.get('etag') };
      };
      now = Date.parse('2026-02-27T23:59:59Z');
      const today = await read();
      expect(today.days).toEqual(['2026-02-26', '2026-02-28']);
      now += 1_000;
      const after = await read();
      expect(after.days).toEqual(['2026-02-27', '2026-03-01']);
      expect(after.etag).not.toBe(today.etag);
    },
  );

  it('the root names the page and the document, and the page with a slash behind it leads to the page', async () => {
    const root = await fetch(`${base}/`);
    const named = (await root.json()) as Record<string, string>;
    expect(named).toEqual({ reference: '/docs', description: '/openapi.json' });
    for (const path of Object.values(named)) expect((await fetch(base + path)).status).toBe(200);
    const slash = await fetch(`${base}/docs/`, { redirect: 'manual' });
    expect([slash.status, slash.headers.get('location')]).toEqual([308, '/docs']);
  });

  it.each([
    ['GET', '/v1/group-payment', 'there is no GET /v1/group-payment: /docs has every path'],
    ['DELETE', '/v1/x?key=secret', 'there is no DELETE /v1/x: /docs has every path'],
    ['GET', "/a'b|c&d", 'there is no GET /a?b?c?d: /docs has every path'],
    ['GET', `/${'x'.repeat(4_000)}`, `there is no GET /${'x'.repeat(127)}: /docs has every path`],
  ])('an unknown path is repeated without what could mislead: %s %s', async (method, path, hint) => {
    expect(await (await fetch(base + path, { method })).json()).toMatchObject({
      message: 'no such endpoint',
      hint,
    });
  });

  it('every link within the page has a target, and every error code a place', async () => {
    const html = await (await fetch(`${base}/docs`)).text();
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
    expect(errorCodes.filter((code) => !ids.includes(catalogue[code].anchor))).toEqual([]);
  });

  it('an error links to a place of the served page, also where a request was never understood (Q33)', async () => {
    const html = await (await fetch(`${base}/docs`)).text();
    const unknown = (await (await fetch(`${base}/nowhere`)).json()) as { doc_url: string };
    const broken = await sendRaw(server.port, 'no request\r\n\r\n');
    for (const link of [unknown.doc_url, /"doc_url":"([^"]+)"/.exec(broken)?.[1] ?? '']) {
      expect(link).toMatch(/^\/docs#error-(route_not_found|malformed_request)$/);
      expect(html).toContain(`id="${link.split('#')[1]}"`);
    }
  });
});

/** Sends bytes that are no request; returns everything that comes back. */
async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(bytes);
  return text(socket);
}
