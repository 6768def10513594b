import { expect, it } from '@jest/globals';
import type { ApiKeyRecord, KeyUse } from '@gp/contracts';
import { keyUses } from './key-uses.ts';

const key = (key_id: string) => ({ merchant_id: 'm1', mode: 'test', key_id }) as unknown as ApiKeyRecord;

function world() {
  const told: KeyUse[] = [];
  let nowMs = 1_000_000;
  let isAway = false;
  const uses = keyUses({
    now: () => nowMs,
    publish: ({ payload }) => {
      if (isAway) return Promise.reject(new Error('away'));
      told.push(payload as KeyUse);
      return Promise.resolve();
    },
  });
  return {
    told,
    note: uses.note,
    look: () => uses.loop.runOnce(AbortSignal.timeout(1_000)),
    pass: (ms: number) => void (nowMs += ms),
    away: (is: boolean) => void (isAway = is),
  };
}

it('the first use of a key is told at once, the next ones once a minute with the latest address', async () => {
  const { told, note, look, pass } = world();
  note(key('k1'), '192.0.2.1');
  await look();
  expect(told).toMatchObject([{ key_id: 'k1', address: '192.0.2.1' }]);
  note(key('k1'), '192.0.2.2');
  pass(30_000);
  note(key('k1'), '192.0.2.3');
  await look();
  expect(told).toHaveLength(1);
  pass(30_000);
  await look();
  expect(told[1]).toMatchObject({ key_id: 'k1', address: '192.0.2.3' });
});

it('a key that is used no more is told of no more', async () => {
  const { told, note, look, pass } = world();
  note(key('k1'), '192.0.2.1');
  for (let minute = 0; minute < 3; minute++) {
    await look();
    pass(60_000);
  }
  expect(told).toHaveLength(1);
});

it('what could not be told is told later', async () => {
  const { told, note, look, away } = world();
  note(key('k1'), '192.0.2.1');
  away(true);
  await expect(look()).rejects.toThrow('away');
  away(false);
  await look();
  expect(told).toHaveLength(1);
});
