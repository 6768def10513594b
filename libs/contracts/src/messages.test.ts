import { describe, expect, it } from '@jest/globals';
import * as contracts from './index.ts';

describe('the list of messages', () => {
  it('the list of messages names every message that a contract describes', () => {
    const declared = Object.values<unknown>(contracts).filter(isMessage);
    expect(declared.length).toBeGreaterThan(8);
    for (const { filters } of declared)
      expect(contracts.MESSAGES.map((each) => each.filters)).toContainEqual(filters);
  });

  it.each([
    [contracts.gatewayOperation('gateway_b', 'refund'), 'cmd.*.payment.*.v1'],
    [contracts.fireTimer('ledger'), 'cmd.*.timer.fire.v1'],
  ])('the list of messages names the family of %j', ({ payload }, filter) => {
    expect(contracts.MESSAGES).toContainEqual({ filters: [filter], payload });
  });
});

describe('a message', () => {
  it('a message that is a command goes to COMMANDS under its own subject', () => {
    const { stream, filters } = contracts.outcomeRecorded;
    expect({ stream, filters }).toEqual({ stream: 'COMMANDS', filters: ['cmd.ledger.outcome.record.v1'] });
  });

  it('a message that is a fact goes to EVENTS under its subject and a key', () => {
    const { stream, filters } = contracts.settingsChanged;
    expect({ stream, filters }).toEqual({ stream: 'EVENTS', filters: ['evt.merchant.origins.changed.v1.*'] });
  });
});

it.each(contracts.EVENT_TYPES)('a public event of type %s is delivered to its consumers', (type) => {
  const subject = contracts.publicEventSubject(type, 'g1').split('.');
  const isMatched = contracts.publicEvents.filters.some((filter) =>
    filter.split('.').every((token, at) => token === '*' || token === subject[at]),
  );
  expect(isMatched).toBe(true);
});

function isMessage(value: unknown): value is contracts.StreamContract<unknown> {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'message';
}
