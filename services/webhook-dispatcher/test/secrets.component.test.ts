import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sealWith } from '@gp/seal';
import { eventually, rotateEncryptionKey } from '@gp/testing';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { sealedColumns } from '../src/db/sealed-columns.ts';
import { openReceiver, type Received, type Receiver } from './support/receiver.ts';
import { encryptionKey, makeEvent, openWorld, scope, type World } from './support/world.ts';

const { webhooks } = new Stripe('sk_unused');

let world: World;
let receiver: Receiver;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(async () => {
  await world.clear();
  await receiver.close();
});

/** Verifies a request as a receiver that knows this secret, with either public verifier. */
const accepts = ({ body, headers }: Received, secret: string): [boolean, boolean] => [
  succeeds(() => webhooks.constructEvent(body, String(headers['service-signature']), secret)),
  succeeds(() => new Webhook(secret).verify(body, headers as Record<string, string>)),
];
function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
const BOTH = [true, true];
const NEITHER = [false, false];

const roll = (id: string, overlap_seconds: 0 | 3_600 | 86_400 | 604_800) =>
  world.manage.roll({ ...scope, id, overlap_seconds });
async function delivered(): Promise<Received> {
  const count = receiver.received.length + 1;
  await world.publish(makeEvent());
  return (await receiver.receive(count))[count - 1]!;
}
const passOverlap = () =>
  world.db.pool.query(`update retired_secrets set valid_until = clock_timestamp() - interval '1 second'`);

describe('a rotation of the encryption key', () => {
  it('a rotation leaves secrets that are in use, and rolled ones that still sign, readable under the new key (Y2)', async () => {
    const { id, secret: old } = await world.endpoint(receiver.url);
    const rolled = await roll(id, 3_600);
    const before = sealWith({ encryptionKey });
    world.openWith(
      await rotateEncryptionKey({ db: world.db, columns: sealedColumns, previous: encryptionKey }),
    );
    world.dispatch();
    const delivery = await delivered();
    expect([accepts(delivery, old), accepts(delivery, rolled.secret)]).toEqual([BOTH, BOTH]);
    world.openWith(before);
  });
});

describe('a secret that is rolled', () => {
  it.each([3_600, 86_400, 604_800] as const)(
    'a rolled secret overlaps for %i s: both public verifiers accept every delivery with the old and with the new one',
    async (overlap) => {
      const { id, secret: old } = await world.endpoint(receiver.url);
      world.dispatch();
      const startedAt = Date.now();
      const rolled = await roll(id, overlap);
      expect(rolled.secret).toMatch(/^whsec_/);
      expect(rolled.secret).not.toBe(old);
      const endsInMs = Date.parse(rolled.previous_secrets_end_at!) - startedAt;
      expect(Math.round(endsInMs / 10_000)).toBe(overlap / 10);
      const request = await delivered();
      expect([accepts(request, old), accepts(request, rolled.secret)]).toEqual([BOTH, BOTH]);
      expect(String(request.headers['service-signature'])).toMatch(
        /^t=\d{10},v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/,
      );
      await passOverlap();
      const late = await delivered();
      expect([accepts(late, old), accepts(late, rolled.secret)]).toEqual([NEITHER, BOTH]);
      expect(String(late.headers['service-signature'])).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/);
    },
  );

  it('a secret rolled without an overlap ends at once, and so does every earlier one', async () => {
    const { id, secret: first } = await world.endpoint(receiver.url);
    world.dispatch();
    const second = await roll(id, 86_400);
    const third = await roll(id, 0);
    expect(third.previous_secrets_end_at).toBeNull();
    const request = await delivered();
    expect([first, second.secret, third.secret].map((secret) => accepts(request, secret))).toEqual([
      NEITHER,
      NEITHER,
      BOTH,
    ]);
  });

  it('a secret rolled twice within its overlap still signs with the one that receivers know: a response may have been lost', async () => {
    const { id, secret: known } = await world.endpoint(receiver.url);
    world.dispatch();
    await roll(id, 86_400);
    const { secret } = await roll(id, 86_400);
    const request = await delivered();
    expect([accepts(request, known), accepts(request, secret)]).toEqual([BOTH, BOTH]);
  });

  it('a rolled secret signs waiting deliveries, too', async () => {
    receiver.answer((response, _request, count) => response.writeHead(count === 1 ? 500 : 200).end());
    const { id } = await world.endpoint(receiver.url);
    world.dispatch({ retryLadderMs: '600000' });
    await delivered();
    await eventually(async () => (await world.deliveries())[0]?.attempts === 1 || undefined);
    const { secret } = await roll(id, 0);
    await world.hurry('pending');
    const [, second] = await receiver.receive(2);
    expect(accepts(second!, secret)).toEqual(BOTH);
  });

  it('a rolled secret is in no table and is deleted with its endpoint', async () => {
    const { id, secret } = await world.endpoint(receiver.url);
    const rolled = await roll(id, 3_600);
    const dump = await world.db.pool.query(
      `select r::text as row from retired_secrets r union all select e::text from endpoints e`,
    );
    for (const text of [secret, rolled.secret])
      for (const needle of [text, text.slice(6), Buffer.from(text).toString('hex')])
        expect(JSON.stringify(dump.rows)).not.toContain(needle);
    await world.remove(id);
    expect((await world.db.pool.query('select from retired_secrets')).rowCount).toBe(0);
  });

  it('a secret is rolled within its merchant and mode only (Q18)', async () => {
    const { id } = await world.endpoint(receiver.url);
    for (const other of [
      { ...scope, mode: 'live' as const },
      { ...scope, merchant_id: 'm2' },
    ])
      await expect(world.manage.roll({ ...other, id, overlap_seconds: 0 })).rejects.toMatchObject({
        code: 'not_found',
      });
  });
});
