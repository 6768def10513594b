import { describe, expect, it } from '@jest/globals';
import { gatewayCallMachine, stateAfter, statesBefore } from './gateway-call.machine.ts';
import { buildFailure } from './failure.ts';
import { decideFromAnswer, decideFromEffect } from './call-result.ts';

const operations = ['authorise', 'capture', 'void', 'refund'] as const;

describe('what an answer means', () => {
  it.each(operations)('%s: unknown is told as unknown, never as a failure', (operation) =>
    expect(decideFromAnswer(operation, { kind: 'unknown', reason: 'timeout' })).toMatchObject({
      status: 'unknown',
      trigger: 'doubt',
      failure: null,
    }),
  );

  it.each([
    ['authorise', 'absent'],
    ['capture', 'retryable'],
    ['void', 'retryable'],
    ['refund', 'retryable'],
  ] as const)('%s: what certainly never happened is told as %s', (operation, status) =>
    expect(decideFromAnswer(operation, { kind: 'retryable', reason: 'x' })).toMatchObject({
      status,
      trigger: 'fail',
    }),
  );

  it.each([
    ['authorise', 'declined'],
    ['capture', 'failed'],
    ['void', 'retryable'],
    ['refund', 'failed'],
  ] as const)('%s: a definite refusal is told as %s', (operation, status) =>
    expect(
      decideFromAnswer(operation, { kind: 'declined', failure: buildFailure('card_declined') }).status,
    ).toBe(status),
  );

  it('money that was taken cannot be released, and the ledger hears how much', () =>
    expect(decideFromEffect('void', { is: 'captured', amountMinor: 7n })).toMatchObject({
      status: 'captured',
      amountMinor: 7n,
    }));
});

describe('a call’s states', () => {
  it('are all reachable', () => expect(gatewayCallMachine.unreachable()).toEqual([]));
  it('let the truth win over a refusal, and a success only be taken back', () => {
    expect(statesBefore('approve')).toEqual(['started', 'unknown', 'declined', 'failed']);
    expect(statesBefore('decline')).toEqual(['started', 'unknown']);
    expect(statesBefore('reverse')).toEqual(['succeeded']);
    expect(stateAfter('doubt')).toBe('unknown');
  });
});
