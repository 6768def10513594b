import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { replaceSigningKeys } from '@gp/contracts';
import { createHttpApp, listen } from '@gp/http';
import { eventually, rotateEncryptionKey } from '@gp/testing';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { createMinter, mintSession } from '../src/app/mint-session.ts';
import { renewPageSession } from '../src/app/open-page.ts';
import { sealedColumns } from '../src/db/sealed-columns.ts';
import { deleteEndedLimits } from '../src/db/sessions.ts';
import { routes } from '../src/http/routes.ts';
import { encryptionKey, found, groupId, openCheckout, otherSlotId, slotId } from './support/checkout.ts';

let checkout: Awaited<ReturnType<typeof openCheckout>>;

beforeAll(async () => {
  checkout = await openCheckout({ waitMs: 1_000 });
  await checkout.rotate();
});
afterAll(() => checkout?.close());
beforeEach(() => checkout.reset());

/** Lets the ledger return the group with this end of the time to pay. */
const until = (expires_at: string, is_collecting = true) => {
  const facts = { is_collecting, awaits_payers: is_collecting, is_settled: false };
  checkout.answer({ find: async () => ({ ...found, facts, group: { ...found.group, expires_at } }) });
};
const published = async () => createLocalJWKSet({ keys: await checkout.publicKeys() });

describe('a minted token', () => {
  it('a minted token verifies with the published keys, and names its scope and nothing of a payer', async () => {
    const { token, group_id, expires_in } = await checkout.mint({ customer_email: 'Ada@Example.com' });
    expect({ group_id, expires_in }).toEqual({ group_id: groupId, expires_in: 1_800 });
    const { payload, protectedHeader } = await jwtVerify(token, await published(), {
      algorithms: ['EdDSA'],
      typ: 'gp-session+jwt',
      audience: 'group-payments/v1',
    });
    expect(protectedHeader).toEqual({
      alg: 'EdDSA',
      typ: 'gp-session+jwt',
      kid: expect.stringMatching(/^test_/),
    });
    expect(payload).toEqual({
      iss: 'group-payments/checkout',
      aud: 'group-payments/v1',
      mid: 'm1',
      gp: groupId,
      mode: 'test',
      scope: ['read', 'pay', 'confirm'],
      jti: expect.any(String),
      epoch: 0,
      limited: true,
      link: 0,
      iat: expect.any(Number),
      exp: Number(payload.iat) + 1_800,
    });
    expect(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).not.toMatch(/ada@/i);
  });

  it('a minted token is signed with a key of its own mode', async () => {
    checkout.answer({ find: async () => ({ ...found, group: { ...found.group, mode: 'live' } }) });
    const { token } = await checkout.mint({ mode: 'live' });
    expect(decodeProtectedHeader(token).kid).toMatch(/^live_/);
    expect(decodeJwt(token)).toMatchObject({ mode: 'live', limited: false });
  });

  it('a minted token only reads once the group can no longer be paid, and then lives as long as requested', async () => {
    until('2030-01-01T00:00:00.000Z', false);
    const { token, expires_in } = await checkout.mint({ expires_in: 60 });
    expect(decodeJwt(token)).toMatchObject({ scope: ['read'] });
    expect(expires_in).toBe(60);
  });

  it('a minted token that pays ends half an hour after the time to pay', async () => {
    until(new Date(Date.now() + 300_000).toISOString());
    const { expires_in } = await checkout.mint({ expires_in: 3_600 });
    expect(expires_in).toBeLessThanOrEqual(2_100);
    expect(expires_in).toBeGreaterThan(2_000);
  });
});

describe('minting is refused', () => {
  it('a token for a group of another merchant or mode is a 404', async () => {
    for (const other of [{ merchant_id: 'm2' }, { mode: 'live' as const }])
      await expect(checkout.mint(other)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('a token for slots that are not of the group, or named twice, is a 400', async () => {
    const stranger = { param: 'slot_ids', reason: 'is no slot of this group payment', slot_id: groupId };
    for (const [slot_ids, data] of [
      [[slotId, groupId], { param: 'slot_ids', details: [stranger] }],
      [[slotId, slotId], { param: 'slot_ids' }],
    ] as const)
      await expect(checkout.mint({ slot_ids: [...slot_ids] })).rejects.toMatchObject({
        ...{ code: 'invalid_slot_ids', data },
      });
    expect(
      await checkout.rows('select from session_limits where slot_ids @> array[$1::uuid]', [groupId]),
    ).toEqual([]);
  });
});

describe('a limited session', () => {
  const session = async (limits: { customer_email?: string; slot_ids?: string[] }) =>
    String(decodeJwt((await checkout.mint(limits)).token).jti);

  it('a limited session pays for its payer, whatever the spelling, and for nobody else', async () => {
    const session_id = await session({ customer_email: 'Ada@example.com' });
    await checkout.start({ session_id, customer_email: ' aDa@example.com ' });
    expect(checkout.question('reserve')).not.toHaveProperty('session_id');
    checkout.reset();
    await expect(checkout.start({ session_id, customer_email: 'eve@example.com' })).rejects.toMatchObject({
      code: 'validation_error',
      data: { param: 'customer_email' },
    });
    expect(checkout.steps()).toEqual([]);
  });

  it('a limited session takes only its own slots: the ledger gets the limits and decides', async () => {
    const session_id = await session({ slot_ids: [otherSlotId] });
    await checkout.start({ session_id });
    expect(checkout.question('reserve')).toMatchObject({
      within_slot_ids: [otherSlotId],
      slot_ids: [slotId],
    });
  });

  it('a session of another group, or an unknown one, pays nothing', async () => {
    const session_id = await session({ slot_ids: [slotId] });
    const elsewhere = { session_id, group_id: slotId };
    await expect(checkout.start(elsewhere)).rejects.toMatchObject({ code: 'unauthorized' });
    await checkout.rows(
      `update session_limits set ends_at = now() - interval '1 hour' where session_id = $1`,
      [session_id],
    );
    expect(await deleteEndedLimits(checkout.db)).toBe(1);
    await expect(checkout.start({ session_id })).rejects.toMatchObject({ code: 'unauthorized' });
    expect(checkout.steps()).toEqual([]);
  });
});

describe('revoking', () => {
  it('a revocation begins the next epoch of the group and announces it; later tokens have that epoch', async () => {
    const heard: unknown[] = [];
    const hearing = checkout.others.listen('evt.checkout.session_epoch.raised.v1.*', ({ payload }) =>
      heard.push(payload),
    );
    expect(await checkout.revoke()).toEqual({ epoch: 1 });
    expect(await checkout.revoke()).toEqual({ epoch: 2 });
    await eventually(async () => {
      await checkout.relay();
      return heard.length === 2 || undefined;
    });
    await hearing.close();
    const group = { merchant_id: 'm1', mode: 'test', group_id: groupId };
    expect(heard).toEqual([
      { ...group, epoch: 1 },
      { ...group, epoch: 2 },
    ]);
    expect(decodeJwt((await checkout.mint()).token)).toMatchObject({ epoch: 2 });
  });

  it('a revocation for a group of another merchant is a 404, and the group keeps its tokens', async () => {
    await expect(checkout.revoke({ merchant_id: 'm2' })).rejects.toMatchObject({ code: 'not_found' });
    expect(await checkout.rows(`select from session_epochs where merchant_id = 'm2'`)).toEqual([]);
  });
});

describe('replacing a link', () => {
  afterEach(async () => {
    await checkout.rows('delete from session_epochs');
    await checkout.rows('delete from outbox');
  });
  const rolledGroup = { ...found, group: { ...found.group, link_number: 1 } };
  const announced = `select payload ->> 'epoch' as epoch from outbox where subject like 'evt.checkout.session_epoch.%'`;

  it('replacing the link of a group ends its tokens, under the same command at the ledger (X13)', async () => {
    const { epoch } = await checkout.revoke();
    expect(await checkout.roll()).toEqual({ page_token: 'q'.repeat(22) });
    expect(checkout.question('rollPageToken')).toMatchObject({
      command_id: 'c'.repeat(64),
      actor: 'merchant',
    });
    checkout.answer({ find: async () => rolledGroup });
    expect(decodeJwt((await checkout.mint()).token)).toMatchObject({ epoch: epoch + 1, link: 1 });
  });

  it('a repeated replacement ends tokens once: those of the new link stay (X16)', async () => {
    await checkout.roll();
    checkout.answer({ find: async () => rolledGroup });
    const { token } = await checkout.mint();
    expect(await checkout.roll()).toEqual({ page_token: 'q'.repeat(22) });
    expect(decodeJwt(token)).toMatchObject({ epoch: 1, link: 1 });
    expect(await checkout.rows('select epoch, link from session_epochs')).toEqual([{ epoch: 1, link: 1 }]);
    expect(await checkout.rows(announced)).toEqual([{ epoch: '1' }]);
  });

  it('the first token for a new link ends those of the older one, if the replacement broke off before (X16)', async () => {
    expect(decodeJwt((await checkout.mint()).token)).toMatchObject({ epoch: 0, link: 0 });
    checkout.answer({ find: async () => rolledGroup });
    const { token } = await checkout.mint();
    expect(decodeJwt(token)).toMatchObject({ epoch: 1, link: 1 });
    expect(await checkout.rows(announced)).toEqual([{ epoch: '1' }]);
    // The repeated replacement leaves that token alone.
    await checkout.roll();
    expect(await checkout.rows('select epoch, link from session_epochs')).toEqual([{ epoch: 1, link: 1 }]);
  });

  it('a link that was replaced between look-up and mint gives no token of the new epoch; a server gets one (X13)', async () => {
    await checkout.roll();
    const renewed = renewPageSession({ ledger: checkout.ledger, mintFor: createMinter(checkout.parts) });
    checkout.answer({ findByPageToken: async () => found });
    await expect(renewed('p'.repeat(22))).rejects.toMatchObject({ code: 'not_found' });
    let looks = 0;
    const find = async () => ({ ...found, group: { ...found.group, link_number: looks++ } });
    checkout.answer({ find });
    expect(decodeJwt((await checkout.mint()).token)).toMatchObject({ link: 1 });
    expect(looks).toBe(2);
  });
});

describe('signing keys', () => {
  it('signing keys are sealed: the table holds no private half', async () => {
    const rows = await checkout.rows<{ sealed: Buffer }>('select sealed from signing_keys');
    expect(rows).toHaveLength(2);
    // Long enough that no bytes of a cipher are taken for it by chance.
    for (const { sealed } of rows) expect(sealed.toString('latin1')).not.toMatch(/"d" ?: ?"/);
  });

  it('signing keys are published as a key set, without their private halves', async () => {
    const app = createHttpApp({ routes: routes({ listKeys: checkout.publicKeys }) });
    const server = await listen(app, { host: '127.0.0.1', port: 0 });
    const url = `http://127.0.0.1:${server.port}/.well-known/jwks.json`;
    const answer = await fetch(url, { headers: { connection: 'close' } });
    const { keys } = (await answer.json()) as { keys: object[] };
    await server.close(1_000);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(keys).toHaveLength(2);
    for (const key of keys)
      expect(key).toEqual({
        kid: expect.any(String),
        kty: 'OKP',
        crv: 'Ed25519',
        x: expect.any(String),
        alg: 'EdDSA',
        use: 'sig',
      });
  });

  it('signing keys that a rotation has sealed again still sign sessions under the new encryption key alone (Y2)', async () => {
    const { db } = checkout;
    const seal = await rotateEncryptionKey({ db, columns: sealedColumns, previous: encryptionKey });
    const request = { merchant_id: 'm1', mode: 'test', group_id: groupId } as const;
    const { token } = await mintSession({ ...checkout.parts, seal })(request);
    const { kid } = decodeProtectedHeader(token);
    expect((await checkout.publicKeys()).map((key) => key.kid)).toContain(kid);
    await expect(mintSession(checkout.parts)(request)).rejects.toThrow(/not configured/);
    await checkout.rows('delete from signing_keys');
    await checkout.rotate();
  });

  it('replicas that rotate at the same time make one key, published before it signs', async () => {
    const before = await checkout.publicKeys();
    const due = { rotateAfterMs: 10_000, leadMs: 30_000, lingerMs: 3_600_000 };
    await Promise.all([checkout.rotate(due), checkout.rotate(due), checkout.rotate(due)]);
    const after = await checkout.publicKeys();
    expect(after).toHaveLength(before.length + 2);
    const { kid } = decodeProtectedHeader((await checkout.mint()).token);
    expect(before.map((key) => key.kid)).toContain(kid);
  });

  it('the first token of an installation makes the first key, one for all who ask at the same time', async () => {
    await checkout.rows('delete from signing_keys');
    const minted = await Promise.all([checkout.mint(), checkout.mint(), checkout.mint()]);
    const keys = await checkout.publicKeys();
    expect(keys.map(({ mode }) => mode)).toEqual(['test']);
    for (const { token } of minted) await jwtVerify(token, await published());
    await checkout.rotate();
    expect((await checkout.publicKeys()).map(({ mode }) => mode)).toEqual(['test', 'live']);
  });

  it('a signing key replaced in an emergency is not published any more, and the new one signs at once', async () => {
    const { token } = await checkout.mint();
    const { kid } = await checkout.others.call(replaceSigningKeys, { mode: 'test' });
    const keys = await checkout.publicKeys();
    expect(keys.filter(({ mode }) => mode === 'test').map((key) => key.kid)).toEqual([kid]);
    expect(keys.some(({ mode }) => mode === 'live')).toBe(true);
    await expect(jwtVerify(token, await published())).rejects.toMatchObject({
      code: 'ERR_JWKS_NO_MATCHING_KEY',
    });
    const { token: newer } = await checkout.mint();
    expect(decodeProtectedHeader(newer).kid).toBe(kid);
    await jwtVerify(newer, await published());
  });
});
