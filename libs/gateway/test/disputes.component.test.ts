import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Outcome } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { createLogger } from '@gp/telemetry';
import { uuidv7 } from 'uuidv7';
import type { Adapter } from '../src/adapter.ts';
import { applyTruth } from '../src/app/apply-truth.ts';
import type { Truth } from '../src/index.ts';
import { openGatewayDatabase, type GatewayDatabase } from './support/database.ts';

let database: GatewayDatabase;
let db: Db;

beforeAll(async () => {
  database = await openGatewayDatabase();
  db = database.db;
});
afterAll(() => database?.close());
beforeEach(() => database.asOwner('truncate psp_attempts, outbox cascade'));

/** Applies the gateway's answer and a callback, and returns the outcomes about disputes that the ledger receives. */
async function apply(shown: Truth['isDisputed'], said: boolean | null): Promise<readonly string[]> {
  const truth: Truth = {
    ...{ pspReference: 'pi_1', status: 'captured', amountMinor: 1_500n, capturedMinor: 1_500n },
    ...{ refundedMinor: 0n, currency: 'EUR', captureBefore: null, isOpenToPayer: false, failure: null },
    ...{ isDisputed: shown, actions: [] },
  };
  const adapter = {
    ...{ psp: 'gateway_a', db, log: createLogger({ service: 'test', level: 'silent' }) },
    ...{ clock: { now: () => new Date() }, wakeRelay: () => undefined },
  } as unknown as Adapter<unknown>;
  const mode = 'test' as const;
  const subject = {
    ...{ mode, merchantId: 'm1', groupId: uuidv7(), intentId: uuidv7(), attemptId: uuidv7() },
    ...{ currency: 'EUR', pspReference: 'pi_1' },
  };
  const externalBefore = { capture: 0n, refund: 0n };
  await applyTruth(adapter, { subject, truth, source: 'query', before: [], externalBefore, disputed: said });
  const { rows } = await db.pool.query<{ payload: Outcome }>('select payload from outbox order by position');
  return rows.flatMap(({ payload }) => (payload.operation === 'dispute' ? [payload.status] : []));
}

describe('outcomes about a dispute (E11)', () => {
  it.each<[string, Truth['isDisputed'], boolean | null, readonly string[]]>([
    ['the books show one', true, null, ['disputed']],
    ['the books show the end of one, which nobody reported', false, null, ['undisputed']],
    ['a late report of its beginning comes after its end', false, true, ['undisputed']],
    ['only a callback reports its beginning', null, true, ['disputed']],
    ['only a callback reports its end', null, false, ['undisputed']],
    ['there never was one', null, null, []],
  ])('%s', async (_what, shown, said, told) => expect(await apply(shown, said)).toEqual(told));
});
