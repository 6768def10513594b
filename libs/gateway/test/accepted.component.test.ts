import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Db } from '@gp/pg';
import { createLogger } from '@gp/telemetry';
import { uuidv7 } from 'uuidv7';
import type { Adapter } from '../src/adapter.ts';
import { runOperation, type OperationRequest } from '../src/app/run-operation.ts';
import type { Answer, Truth } from '../src/index.ts';
import { openGatewayDatabase, type GatewayDatabase } from './support/database.ts';

let database: GatewayDatabase;
let db: Db;
let order: OperationRequest;
/** The gateway's answers to the next operations, and its view of the payment. */
let answers: Answer[];
let truth: Truth;
let sent: string[];
/** How far the adapter's clock is ahead, ms: by an hour, the settle window of whatever was sent is over. */
let aheadMs: number;

beforeAll(async () => {
  database = await openGatewayDatabase();
  db = database.db;
});
afterAll(() => database?.close());

beforeEach(async () => {
  await database.asOwner('truncate psp_attempts, outbox cascade');
  sent = [];
  aheadMs = 3_600_000;
  order = {
    ...{ mode: 'test', merchantId: 'm1', groupId: uuidv7(), intentId: uuidv7(), attemptId: uuidv7() },
    ...{ operationId: uuidv7(), operation: 'refund', seq: 1, credentialVersion: 1, pspReference: 'pay_1' },
    ...{ amountMinor: 1_500n, currency: 'EUR', sandboxFault: null, traceparent: null, notAfter: null },
    ...{ unlessAuthorised: false, returnUrl: null },
  };
  truth = {
    ...{ pspReference: 'pay_1', status: 'authorised', amountMinor: 1_500n, capturedMinor: 0n },
    ...{ refundedMinor: 0n, currency: 'EUR', captureBefore: null, isOpenToPayer: false, isDisputed: null },
    ...{ failure: null, actions: [] },
  };
});

function adapter(): Adapter<unknown> {
  return {
    ...{ psp: 'gateway_b', db, log: createLogger({ service: 'test', level: 'silent' }) },
    ...{ clock: { now: () => new Date(Date.now() + aheadMs) }, wakeRelay: () => undefined },
    settings: { leaseMs: 60_000, settleWindowMs: 60_000, acceptedWaitMs: 0 },
    accounts: { get: () => Promise.resolve({}) },
    calls: {
      query: () => Promise.resolve({ kind: 'found', truth }),
      effect: (operation: string) => {
        sent.push(operation);
        return Promise.resolve(answers.shift() ?? { kind: 'unknown', reason: 'no answer' });
      },
    },
  } as unknown as Adapter<unknown>;
}

/** Executes an order, and returns what the ledger has been sent so far. */
async function run(more: Partial<OperationRequest> = {}): Promise<readonly string[]> {
  await runOperation(adapter())({ ...order, ...more });
  const { rows } = await db.pool.query<{ status: string }>(
    `select payload ->> 'status' as status from outbox order by position`,
  );
  return rows.map(({ status }) => status);
}

describe('an operation that a gateway accepted and does not show yet (R4)', () => {
  it('an accepted refund stays unknown, however long it takes, and is not sent again (R4)', async () => {
    truth = { ...truth, status: 'captured', capturedMinor: 1_500n };
    answers = [{ kind: 'accepted' }];
    expect(await run()).toEqual(['unknown']);
    expect(await run()).toEqual(['unknown', 'unknown']);
    expect(sent).toEqual(['refund']);
    truth = { ...truth, refundedMinor: 1_500n };
    expect(await run()).toEqual(['unknown', 'unknown', 'refunded']);
  });

  it('an accepted capture is not reported as without effect when the next try is refused because of it (E1, R4)', async () => {
    const capture = { operation: 'capture' } as const;
    answers = [{ kind: 'accepted' }, { kind: 'conflict', reason: 'in progress' }];
    expect(await run(capture)).toEqual(['unknown']);
    expect(await run({ ...capture, seq: 2, operationId: uuidv7() })).toEqual(['unknown', 'unknown']);
    expect(sent).toEqual(['capture', 'capture']);
  });
});

describe('an operation that a gateway neither accepted nor shows', () => {
  it('an operation that is neither accepted nor shown counts as not done after the settle window, and is retried (R4)', async () => {
    truth = { ...truth, status: 'captured', capturedMinor: 1_500n };
    answers = [{ kind: 'unknown', reason: 'no answer' }];
    expect(await run()).toEqual(['unknown']);
    expect(await run()).toEqual(['unknown', 'retryable']);
  });

  it('a refund that the gateway refuses is refused for good once earlier tries can have no effect any more (Q81, R4)', async () => {
    truth = { ...truth, status: 'captured', capturedMinor: 1_500n };
    const refused = { kind: 'conflict', reason: 'disputed' } as const;
    const next = (seq: number) => run({ seq, operationId: uuidv7() });
    answers = [{ kind: 'unknown', reason: 'no answer' }, refused, refused];
    expect([await run(), await run()].at(-1)).toEqual(['unknown', 'retryable']);
    aheadMs = 0;
    expect((await next(2)).at(-1)).toBe('retryable');
    aheadMs = 3_600_000;
    expect((await next(3)).at(-1)).toBe('failed');
  });
});
