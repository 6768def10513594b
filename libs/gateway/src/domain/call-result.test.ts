import { describe, expect, it } from '@jest/globals';
import { gatewayCallMachine, stateAfter, statesBefore } from './gateway-call.machine.ts';
import { buildFailure } from './failure.ts';
import { decideFromAnswer, decideFromEffect } from './call-result.ts';

const operations = ['authorise', 'capture', 'void', 'refund'] as const;

describe('the result of a gateway’s answer', () => {
  it.each(operations)('%s: an unknown answer gives an unknown result, never a failure', (operation) =>
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
  ] as const)('%s: a call that certainly had no effect gives %s', (operation, status) =>
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
  ] as const)('%s: a definite refusal gives %s', (operation, status) =>
    expect(
      decideFromAnswer(operation, { kind: 'declined', failure: buildFailure('card_declined') }).status,
    ).toBe(status),
  );

  it('a void of a captured payment returns the captured amount', () =>
    expect(decideFromEffect('void', { is: 'captured', amountMinor: 7n })).toMatchObject({
      status: 'captured',
      amountMinor: 7n,
    }));
});

describe('the states of a gateway call', () => {
  it('the states of a gateway call are all reachable', () =>
    expect(gatewayCallMachine.unreachable()).toEqual([]));
  it('the states of a gateway call let a later approval replace a refusal, and a success only be reversed', () => {
    expect(statesBefore('approve')).toEqual(['started', 'unknown', 'declined', 'failed']);
    expect(statesBefore('decline')).toEqual(['started', 'unknown']);
    expect(statesBefore('reverse')).toEqual(['succeeded']);
    expect(stateAfter('doubt')).toBe('unknown');
  });
});
