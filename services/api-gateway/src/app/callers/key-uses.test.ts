import { expect, it } from '@jest/globals';
import type { ApiKeyRecord, KeyUse } from '@gp/contracts';
import { keyUses } from './key-uses.ts';

const key = (key_id: string) => ({ merchant_id: 'm1', mode: 'test', key_id }) as unknown as ApiKeyRecord;

function world() {
  const reports: KeyUse[] = [];
  let nowMs = 1_000_000;
  let isAway = false;
  const uses = keyUses({
    now: () => nowMs,
    publish: ({ payload }) => {
      if (isAway) return Promise.reject(new Error('away'));
      reports.push(payload as KeyUse);
      return Promise.resolve();
    },
  });
  return {
    reports,
    note: uses.note,
    look: () => uses.loop.runOnce(AbortSignal.timeout(1_000)),
    pass: (ms: number) => void (nowMs += ms),
    away: (is: boolean) => void (isAway = is),
  };
}

it('the first use of a key is reported at once, the next ones once a minute with the latest address', async () => {
  const { reports, note, look, pass } = world();
  note(key('k1'), '192.0.2.1');
  await look();
  expect(reports).toMatchObject([{ key_id: 'k1', address: '192.0.2.1' }]);
  note(key('k1'), '192.0.2.2');
  pass(30_000);
  note(key('k1'), '192.0.2.3');
  await look();
  expect(reports).toHaveLength(1);
  pass(30_000);
  await look();
  expect(reports[1]).toMatchObject({ key_id: 'k1', address: '192.0.2.3' });
});

it('a key that is no longer used is no longer reported', async () => {
  const { reports, note, look, pass } = world();
  note(key('k1'), '192.0.2.1');
  for (let minute = 0; minute < 3; minute++) {
    await look();
    pass(60_000);
  }
  expect(reports).toHaveLength(1);
});

it('a report that could not be published is published later', async () => {
  const { reports, note, look, away } = world();
  note(key('k1'), '192.0.2.1');
  away(true);
  await expect(look()).rejects.toThrow('away');
  away(false);
  await look();
  expect(reports).toHaveLength(1);
});
