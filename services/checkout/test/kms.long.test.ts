import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import * as contracts from '@gp/contracts';
import { sealWith } from '@gp/seal';
import { eventually, findTool, patientPg } from '@gp/testing';
import { groupId } from './support/checkout.ts';
import { openBao, type OpenBao } from './support/open-bao.ts';
import { openService, type Service } from './support/service.ts';

/** Where OpenBao cannot be had, this says NOT RUN, and the engine is played only (libs/seal). */
const program = findTool('openbao', 'a KMS unwraps the encryption keys of a service');

let kms: OpenBao;
let service: Service;

type Env = Record<string, string>;
const newPlainKey = () => randomBytes(32).toString('base64');
const launch = (env: Env) => service.launch({ ...kms.settings, ...env });

/** Runs work while a process with these settings runs. */
async function during<T>(env: Env, work: () => Promise<T>): Promise<T> {
  const process = launch(env);
  await process.metricsPort();
  const done = await work();
  await process.stop();
  return done;
}

/** Mints a token, for which the service opens the sealed half of its signing key. */
async function mint(): Promise<void> {
  const group = { merchant_id: 'm1', mode: 'test', group_id: groupId } as const;
  const minted = await service.others.call(contracts.mintSession, group, { timeoutMs: 60_000 });
  expect(minted).toMatchObject({ group_id: groupId });
}

/** Returns which keys seal the two signing keys. */
async function listKeyIds(): Promise<string[]> {
  const db = await patientPg({ url: service.databaseUrl, name: 'test', max: 1 });
  const { rows } = await db.pool.query<{ sealed_with: string }>('select sealed_with from signing_keys');
  await db.close();
  return rows.map((row) => row.sealed_with);
}

/** Waits until one key, which is none of these, seals both signing keys, and returns it. */
const waitForOtherKey = (...former: string[]): Promise<string> =>
  eventually(async () => {
    const ids = await listKeyIds();
    return ids.length === 2 && ids[0] === ids[1] && !former.includes(ids[0] ?? '') ? ids[0] : undefined;
  });

if (program === undefined)
  it('OpenBao cannot be had here, so that its transit engine was only played (Y10)', () => {
    expect(program).toBeUndefined();
  });
else describe('keys that OpenBao unwraps', () => testKeys(program));

function testKeys(path: string): void {
  beforeEach(async () => {
    kms = await openBao(path);
    service = await openService();
  });
  afterEach(async () => {
    await service?.close();
    await kms?.close();
  });

  it('a service moves to wrapped keys and to the next one without losing a secret (Y2, Y10)', async () => {
    const plain = newPlainKey();
    const [first, second] = [await kms.newKey(), await kms.newKey()];
    const inClear = await during({ ENCRYPTION_KEY: plain }, () => waitForOtherKey());
    expect(inClear).toBe(sealWith({ encryptionKey: plain }).keyIds.newest);
    const mixed = { ENCRYPTION_KEY: first, PREVIOUS_ENCRYPTION_KEYS: plain };
    const wrapped = await during(mixed, () => waitForOtherKey(inClear));
    await during({ ENCRYPTION_KEY: first }, mint);

    const rotated = { ENCRYPTION_KEY: second, PREVIOUS_ENCRYPTION_KEYS: first };
    await during(rotated, () => waitForOtherKey(inClear, wrapped));
    await during({ ENCRYPTION_KEY: second }, mint);
  });

  it('a rotation of the wrapping key needs the keys wrapped again, and no row sealed again (Y10)', async () => {
    const older = await kms.newKey();
    const sealedWith = await during({ ENCRYPTION_KEY: older }, () => waitForOtherKey());
    await kms.rotate();
    const newer = await kms.rewrap(older);
    expect([older, newer].map((key) => key.split(':')[1])).toEqual(['v1', 'v2']);
    await during({ ENCRYPTION_KEY: older }, mint);
    await kms.endVersionsBelow(2);
    await during({ ENCRYPTION_KEY: newer }, mint);
    expect(await listKeyIds()).toEqual([sealedWith, sealedWith]);

    const refused = launch({ ENCRYPTION_KEY: older });
    expect(await refused.ended).toMatchObject({ code: 1 });
    expect(refused.output()).toMatch(/gave no encryption keys: answered 400: .*version/);
  });

  it('a running service needs no KMS, and one that starts waits until it is unsealed (Y3, Y10)', async () => {
    const key = await kms.newKey();
    const running = launch({ ENCRYPTION_KEY: key });
    await running.metricsPort();
    await kms.seal();
    await mint();
    await running.stop();
    const waiting = launch({ ENCRYPTION_KEY: key });
    const started = waiting.metricsPort();
    await kms.unseal();
    await started;
    await mint();
  });

  it('without its KMS, a service ends after half a minute and names the cause, but no key (Y10)', async () => {
    const key = await kms.newKey();
    await kms.stop();
    const alone = launch({ ENCRYPTION_KEY: key });
    expect(await alone.ended).toMatchObject({ code: 1 });
    expect(alone.output()).toMatch(/the KMS at localhost:\d+ gave no encryption keys: ECONNREFUSED/);
    expect(alone.output()).not.toContain(key);
  });

  it('the role of a service unwraps keys of no other one (Y10)', async () => {
    const key = await kms.newKey();
    const foreign = launch({ ENCRYPTION_KEY: key, KMS_KEY: 'group-payments-merchant-dashboard' });
    expect(await foreign.ended).toMatchObject({ code: 1 });
    expect(foreign.output()).toMatch(/gave no encryption keys: answered 403: .*permission denied/);
  });

  it('settings that cannot work together end the start with exit 78, all at once (Y10)', async () => {
    const process = launch({
      ENCRYPTION_KEY: await kms.newKey(),
      KMS_URL: 'http://kms.example',
      KMS_TOKEN: 'x',
    });
    expect(await process.ended).toMatchObject({ code: 78 });
    expect(process.output()).toMatch(
      /KMS_URL must be an https: address[\s\S]*KMS_ROLE and KMS_TOKEN exclude/,
    );
  });
}
