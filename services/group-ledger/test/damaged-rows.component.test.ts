import { describe, expect, it } from '@jest/globals';
import { heldGroup } from './groups.ts';
import { scope, useLedger } from './harness.ts';

const ledger = useLedger();

describe('a payment whose row contradicts itself', () => {
  it.each([
    ['a hold without a deadline', 'capture_before = null', 'half a hold'],
    ['a hold before any was placed', "state = 'processing'", 'processing and has a hold'],
    [
      'a failure of a payment that is held',
      `failure = '{"code":"x","message":"x","retryable":false}'`,
      'preauthorised and has a failure',
    ],
    [
      'a failed payment without a reason',
      "state = 'failed', winning_attempt_id = null, capture_before = null",
      'failed and has no failure',
    ],
  ])(
    'a payment whose row contradicts itself is an error and is neither shown nor decided on: %s',
    async (_title, damage, message) => {
      const { id } = await heldGroup(ledger, { except: 1 });
      const [row] = await ledger.rows<{ id: string }>('select id from intents where group_id = $1', [id]);
      const restore = await ledger.rows<Record<string, unknown>>('select * from intents where id = $1', [
        row!.id,
      ]);
      await ledger.rows(`update intents set ${damage} where id = $1`, [row!.id]);
      try {
        await expect(ledger.findIntent({ ...scope, intent_id: row!.id })).rejects.toThrow(message);
      } finally {
        const { state, failure, winning_attempt_id, capture_before } = restore[0]!;
        await ledger.rows(
          'update intents set state = $2, failure = $3, winning_attempt_id = $4, capture_before = $5 where id = $1',
          [row!.id, state, failure, winning_attempt_id, capture_before],
        );
      }
    },
  );
});
