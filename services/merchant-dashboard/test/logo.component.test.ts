import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { LogoChanged } from '@gp/contracts';
import { drawPng, pngChunk } from '@gp/testing';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';
import { jpeg, lossless, webp } from './support/pictures.ts';

let dashboard: Dashboard;
let member: Member;

beforeAll(async () => (dashboard = await openDashboard()));
afterAll(() => dashboard?.close());
beforeEach(async () => {
  member = await dashboard.newMerchant();
  dashboard.forget();
});

const sent = (bytes: Buffer, media_type = 'image/png') => ({ media_type, content: bytes.toString('base64') });
const put = (logo: unknown, mode: unknown = 'test', who = member) =>
  who.put('/api/branding/logo', { mode, logo });
const read = async (mode = 'test', who = member) =>
  (await who.get(`/api/branding?mode=${mode}`)).body as { logo: string | null };
const nameOf = (bytes: Buffer, ending = 'png') =>
  `${createHash('sha256').update(bytes).digest('hex').slice(0, 40)}.${ending}`;
const fetchLogo = (file: string, who = member) =>
  fetch(`http://127.0.0.1:${dashboard.server.port}/api/logos/${file}`, { headers: { cookie: who.cookie } });

describe("a merchant's logo", () => {
  it("a merchant's logo is stored without its metadata, announced with its bytes and shown to its members (Q76)", async () => {
    expect(await read()).toEqual({ brand_color: null, logo: null });
    const plain = drawPng({ width: 48, height: 32 });
    const noted = drawPng({
      width: 48,
      height: 32,
      chunks: [pngChunk('tEXt', Buffer.from('Comment\0secret'))],
    });
    const file = nameOf(plain);
    expect(await put(sent(noted))).toMatchObject({ status: 200, body: { brand_color: null, logo: file } });
    expect(await read()).toEqual({ brand_color: null, logo: file });
    expect(await dashboard.receive(1)).toEqual([
      {
        merchant_id: member.id,
        mode: 'test',
        logo: { file, width: 48, height: 32, content: plain.toString('base64') },
        revision: 1,
      },
    ]);
    const answer = await fetchLogo(file);
    expect(Buffer.from(await answer.arrayBuffer()).equals(plain)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'") as unknown,
    });
  });

  it("a merchant's logo is replaced and removed, in the order of revisions, and each change is in the audit log (Q76)", async () => {
    await put(sent(drawPng()));
    const second = jpeg();
    await put(sent(second, 'image/jpeg'));
    expect((await put(null)).body).toEqual({ brand_color: null, logo: null });
    expect((await put(null)).status).toBe(200);
    expect(await read()).toEqual({ brand_color: null, logo: null });
    const announced = (await dashboard.receive(4)) as LogoChanged[];
    expect(announced.map(({ logo, revision }) => [revision, logo?.file ?? null])).toEqual([
      [1, nameOf(drawPng())],
      [2, nameOf(second, 'jpg')],
      [3, null],
      [4, null],
    ]);
    for (const file of [nameOf(drawPng()), nameOf(second, 'jpg')])
      expect((await fetchLogo(file)).status).toBe(404);
    const entries = await dashboard.rows(
      `select details from audit_log where merchant_id = $1 and action = 'logo.changed' order by id`,
      [member.id],
    );
    expect(entries).toEqual(
      [nameOf(drawPng()), nameOf(second, 'jpg'), null, null].map((logo) => ({
        details: { mode: 'test', logo },
      })),
    );
  });

  it("a merchant's logo of one mode is not that of the other, nor can another merchant read, set or remove it (Q76, S9)", async () => {
    const live = webp([lossless(40, 40)]);
    const file = nameOf(live, 'webp');
    await put(sent(live, 'image/webp'), 'live');
    expect(await read('live')).toMatchObject({ logo: file });
    expect(await read('test')).toMatchObject({ logo: null });
    const other = await dashboard.newMerchant();
    expect((await fetchLogo(file, other)).status).toBe(404);
    expect(await put(null, 'live', other)).toMatchObject({ status: 200, body: { logo: null } });
    expect(await read('live')).toMatchObject({ logo: file });
    await put(sent(drawPng()), 'live', other);
    expect(await read('live')).toMatchObject({ logo: file });
    expect((await fetchLogo(file)).status).toBe(200);
  });

  it("a merchant's colour and its logo do not change one another", async () => {
    await put(sent(drawPng()));
    expect((await member.put('/api/branding', { mode: 'test', brand_color: '#0b5d3b' })).body).toEqual({
      brand_color: '#0b5d3b',
      logo: nameOf(drawPng()),
    });
    expect((await put(null)).body).toEqual({ brand_color: '#0b5d3b', logo: null });
  });
});

describe('a logo that is refused', () => {
  const rows = Buffer.alloc(32 * (1 + 32 * 4));
  it.each([
    ['an SVG', sent(Buffer.from('<svg/>'), 'image/svg+xml'), /SVG may contain programs/],
    ['another type', sent(drawPng(), 'image/webp'), /sent as something else/],
    ['too few pixels', sent(drawPng({ raw: rows.subarray(1) })), /damaged/],
    ['too many pixels', sent(drawPng({ raw: Buffer.concat([rows, Buffer.alloc(1)]) })), /damaged/],
    ['pixels that grow without end', sent(drawPng({ raw: Buffer.alloc(20_000_000) })), /damaged/],
    ['more than 64 kB', sent(Buffer.concat([drawPng(), Buffer.alloc(65_536)])), /at most 64 kB/],
    ['other data behind it', sent(Buffer.concat([drawPng(), Buffer.from('<script>')])), /other data after/],
    ['no base64', { media_type: 'image/png', content: '%%%' }, /base64/],
    [
      'base64 that is not ours',
      { media_type: 'image/png', content: `${sent(drawPng()).content}\n` },
      /base64/,
    ],
    ['nothing in it', { media_type: 'image/png', content: '' }, /PNG, JPEG or WebP/],
  ])(
    'a logo with %s gets a 400 with the reason, and the stored logo stays (Q76)',
    async (_, logo, reason) => {
      await put(sent(drawPng({ width: 20 })));
      expect(await put(logo)).toMatchObject({
        status: 400,
        body: { param: 'logo', message: expect.stringMatching(reason) as unknown },
      });
      expect(await read()).toMatchObject({ logo: nameOf(drawPng({ width: 20 })) });
    },
  );

  it.each([undefined, 7, 'x', [], {}, { media_type: 'image/png' }, { media_type: 1, content: 'AAAA' }])(
    'a logo that is no picture in base64 is a 400: %j',
    async (logo) => {
      expect((await put(logo)).status).toBe(400);
    },
  );

  it('a body larger than a logo may ever be is refused before it is read', async () => {
    expect((await put(sent(Buffer.alloc(150_001)))).status).toBe(400);
    expect((await put(sent(Buffer.alloc(250_000)))).status).toBe(413);
  });

  it.each([
    '..%2f..%2fetc%2fpasswd',
    '%00',
    '%ff',
    'x.png',
    `${'0'.repeat(40)}.png`,
    `${'0'.repeat(40)}.svg`,
    '%2e%2e',
    'a'.repeat(200),
  ])('the address %s, which no logo has, never causes an internal error (Q76)', async (file) => {
    const { status } = await fetchLogo(file);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  it('a merchant who uploads logos above the limit gets a 429, and another merchant does not (Q76)', async () => {
    const logo = sent(drawPng());
    for (let count = 0; count < 60; count++) expect((await put(logo)).status).toBe(200);
    expect(await put(logo)).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect((await put(null)).status).toBe(200);
    expect((await put(logo, 'test', await dashboard.newMerchant())).status).toBe(200);
  });
});
