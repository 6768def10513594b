import { afterEach, beforeEach, expect, it } from '@jest/globals';
import * as contracts from '@gp/contracts';
import { eventually, patientPg } from '@gp/testing';
import { failPoints } from '../src/fail-points.ts';
import { groupId, intentId } from './support/checkout.ts';
import { openService, type Service } from './support/service.ts';

let service: Service;
beforeEach(async () => {
  service = await openService();
});
afterEach(() => service?.close());

const group = { merchant_id: 'm1', mode: 'test', group_id: groupId } as const;
const keyModes = async () =>
  (await service.others.call(contracts.listSigningKeys, {})).keys.map(({ mode }) => mode).toSorted();
/** This service's rows about ended tokens of groups. */
async function listEpochs(): Promise<unknown[]> {
  const db = await patientPg({ url: service.databaseUrl, name: 'test', max: 1 });
  const { rows } = await db.pool.query<Record<string, unknown>>('select epoch, link from session_epochs');
  await db.close();
  return rows;
}

it.each([
  ['checkout.reserve.before', []],
  ['checkout.reserve.after', ['reserve']],
  ['checkout.prepare.before', ['reserve']],
  ['checkout.prepare.after', ['reserve', 'prepare']],
] as const)('a call whose process is killed at %s is answered by the next process', async (point, done) => {
  expect(failPoints).toContain(point);
  const first = service.launch({ GP_FAIL_POINT: point });
  await first.metricsPort();
  const answer = service.startPayment(60_000);
  expect((await first.ended).signal).toBe('SIGKILL');
  // A request without an answer for two seconds is sent again.
  expect([...new Set(service.asked.map(({ step }) => step))]).toEqual(done);
  const second = service.launch();
  await second.metricsPort();
  expect(await answer).toMatchObject({ payment_intent_id: intentId });
});

it.each(['checkout.session-mint.before', 'checkout.session-mint.after'])(
  'a token whose process is killed at %s is minted when it is requested again',
  async (point) => {
    const first = service.launch({ GP_FAIL_POINT: point });
    await first.metricsPort();
    await eventually(async () => (await keyModes()).length === 2 || undefined);
    const wanted = service.others.call(
      contracts.mintSession,
      { ...group, customer_email: 'a@b.co' },
      { timeoutMs: 60_000 },
    );
    expect((await first.ended).signal).toBe('SIGKILL');
    const second = service.launch();
    await second.metricsPort();
    // The question is repeatable: the bus asks it again by itself.
    expect(await wanted).toMatchObject({ group_id: groupId, expires_in: 1_800 });
  },
);

it.each([
  ['checkout.session-revoke.before', 1],
  ['checkout.session-revoke.after', 2],
] as const)(
  'tokens whose process is killed at %s are revoked when it is requested again',
  async (point, epoch) => {
    const raised: unknown[] = [];
    service.others.listen('evt.checkout.session_epoch.raised.v1.*', ({ payload }) => raised.push(payload));
    await service.others.ensureStreams();
    const first = service.launch({ GP_FAIL_POINT: point });
    await first.metricsPort();
    const wanted = service.others.call(contracts.revokeSessions, group, { timeoutMs: 60_000 });
    expect((await first.ended).signal).toBe('SIGKILL');
    const second = service.launch();
    await second.metricsPort();
    expect(await wanted).toEqual({ epoch });
    await eventually(() => raised.length === epoch || undefined);
    expect(raised).toEqual(Array.from({ length: epoch }, (_, index) => ({ ...group, epoch: index + 1 })));
  },
);

it.each(['checkout.link-roll.before', 'checkout.link-roll.after'])(
  'killed at %s, the link is replaced and the tokens end when it is asked for again (X16)',
  async (point) => {
    const first = service.launch({ GP_FAIL_POINT: point });
    await first.metricsPort();
    const roll = {
      ...group,
      command_id: 'c'.repeat(64),
      fingerprint: 'd'.repeat(64),
      actor: 'merchant',
    };
    const wanted = service.others.call(contracts.rollCheckoutLink, roll, { timeoutMs: 60_000 });
    expect((await first.ended).signal).toBe('SIGKILL');
    const second = service.launch();
    await second.metricsPort();
    expect(await wanted).toEqual({ page_token: 'q'.repeat(22) });
    expect(await listEpochs()).toEqual([{ epoch: 1, link: 1 }]);
  },
);

it.each(['checkout.signing-key.before', 'checkout.signing-key.after'])(
  'a process killed at %s leaves one key for each mode in the end',
  async (point) => {
    const first = service.launch({ GP_FAIL_POINT: point });
    expect((await first.ended).signal).toBe('SIGKILL');
    const second = service.launch();
    await second.metricsPort();
    await eventually(async () => (await keyModes()).length >= 2 || undefined);
    expect(await keyModes()).toEqual(['live', 'test']);
  },
);
