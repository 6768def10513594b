import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Bootstrap } from '@gp/checkout-web/bootstrap';
import { logoChanged, type Mode } from '@gp/contracts';
import { drawPng, eventually } from '@gp/testing';
import { followLogos } from '../src/app/follow-merchants.ts';
import { subscriptions } from '../src/bus/subscriptions.ts';
import { home, openCheckoutWeb, pageToken, type CheckoutWeb } from './support/web.ts';

let web: CheckoutWeb;
let revision = 0;

beforeAll(async () => {
  web = await openCheckoutWeb();
  await web.rotate();
  await web.name('Casa "Lola" <b>');
});
afterAll(() => web?.close());
beforeEach(() => web.reset());

const png = drawPng({ width: 48, height: 32 });
const named = (letter: string, ending = 'png') => `${letter.repeat(40)}.${ending}`;
const logo = (file: string) => ({ file, width: 48, height: 32, content: png.toString('base64') });
type Whose = { merchant_id?: string; mode?: Mode; revision?: number };
const announce = (file: string | null, whose: Whose = {}) =>
  followLogos(web.db)({
    merchant_id: 'm1',
    mode: 'test',
    logo: file === null ? null : logo(file),
    revision: ++revision,
    ...whose,
  });
const openPage = async () => {
  const html = await (await web.ask(`/c/${pageToken}`)).text();
  const data = /<script type="application\/json"[^>]*>([^]*?)<\/script>/.exec(html)?.[1] ?? '';
  return { html, bootstrap: JSON.parse(data) as Bootstrap };
};
const shown = async () => (await openPage()).bootstrap.logo?.src;
const statusOf = async (path: string) => (await web.ask(path)).status;

describe("a merchant's logo on the page", () => {
  it("a merchant's logo stands on the page of its mode with its name and its size, and in the preview of the link (Q76)", async () => {
    expect((await openPage()).html).not.toMatch(/<img|og:image/);
    await announce(named('b'), { mode: 'live' });
    await announce(named('c'), { merchant_id: 'm2' });
    expect((await openPage()).html).not.toMatch(/<img|og:image/);
    await announce(named('a'));
    const { html, bootstrap } = await openPage();
    const name = 'Casa &quot;Lola&quot; &lt;b>';
    expect(bootstrap.logo).toEqual({ src: `/logos/${named('a')}`, width: 48, height: 32 });
    expect(html).toContain(
      `<img class="logo" src="/logos/${named('a')}" width="48" height="32" alt="${name}"/>`,
    );
    expect(html).toContain(`<meta property="og:image" content="${home}/logos/${named('a')}">`);
    expect(html).toContain('<meta property="og:image:width" content="48">');
    expect(html).toContain('<meta property="og:image:height" content="32">');
    expect(html).toContain('<meta property="og:image:alt" content="Casa &quot;Lola&quot; &lt;b&gt;">');
  });

  it("a merchant's logo may be loaded by the page from this place only", async () => {
    const policy = (await web.ask(`/c/${pageToken}`)).headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`img-src ${home}/assets/ ${home}/logos/ data:;`);
  });

  it('a removed or replaced logo is gone from the page and from its address, and an older message does not restore it (Q76)', async () => {
    await announce(named('a'));
    const seen = revision;
    expect(await statusOf(`/logos/${named('a')}`)).toBe(200);
    await announce(named('d'));
    expect(await shown()).toBe(`/logos/${named('d')}`);
    expect(await statusOf(`/logos/${named('a')}`)).toBe(404);
    await announce(null);
    expect(await shown()).toBeUndefined();
    expect(await statusOf(`/logos/${named('d')}`)).toBe(404);
    await announce(named('a'), { revision: seen });
    expect(await shown()).toBeUndefined();
  });

  it('a logo that two merchants use is served until both have removed it (Q76)', async () => {
    await announce(named('e'));
    await announce(named('e'), { merchant_id: 'm3' });
    await announce(null);
    expect(await statusOf(`/logos/${named('e')}`)).toBe(200);
    await announce(null, { merchant_id: 'm3' });
    expect(await statusOf(`/logos/${named('e')}`)).toBe(404);
  });

  it('checkout stores a logo that the dashboard publishes on the bus (Q76)', async () => {
    await web.others.ensureStreams();
    const consumers = subscriptions(web.db).map((subscription) => web.bus.consume(subscription));
    const payload = { merchant_id: 'm1', mode: 'test', logo: logo(named('f')), revision: ++revision };
    const subject = `${logoChanged.subject}.m1`;
    await web.others.publish({ id: randomUUID(), subject, mode: 'test', payload });
    await eventually(async () => (await shown()) === `/logos/${named('f')}` || undefined);
    await Promise.all(consumers.map((consumer) => consumer.close()));
  });
});

describe('the address of a logo', () => {
  it.each([
    ['png', 'image/png'],
    ['jpg', 'image/jpeg'],
    ['webp', 'image/webp'],
  ])(
    'the address of a logo answers with a %s that browsers read as nothing else and every cache may keep (Q76)',
    async (ending, type) => {
      const path = `/logos/${named('a', ending)}`;
      await announce(named('a', ending));
      const answer = await web.ask(path);
      expect(Buffer.from(await answer.arrayBuffer()).equals(png)).toBe(true);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': type,
        'content-length': String(png.length),
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
      });
      const etag = answer.headers.get('etag') ?? '';
      expect((await web.ask(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
      expect((await web.ask(path, { method: 'HEAD' })).status).toBe(200);
      expect((await web.ask(path, { method: 'POST' })).status).toBe(405);
    },
  );

  it.each([
    '',
    '..%2f..%2fpackage.json',
    '%00',
    '%ff',
    `${named('a')}%00.html`,
    named('a', 'svg'),
    named('A'),
    named('a').slice(1),
    `./${named('a')}`.replace('/', '%2f'),
    `${named('a')}/x`,
    '__proto__',
    'constructor',
    "'%20or%201=1",
    'a'.repeat(200),
  ])(
    'an address that cannot be that of a logo is refused in the documented shape: %j (Q76)',
    async (file) => {
      await announce(named('a'));
      const answer = await web.ask(`/logos/${file}`);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(await answer.json()).toMatchObject({
        error: expect.any(String) as unknown,
        code: expect.any(String) as unknown,
        request_id: expect.stringMatching(/^req_/) as unknown,
      });
    },
  );
});
