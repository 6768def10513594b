import { describe, expect, it } from '@jest/globals';
import * as contracts from './index.ts';

describe('the list of messages', () => {
  it('the list of messages names every message that a contract describes', () => {
    const declared = Object.values<unknown>(contracts).filter(isMessage);
    expect(declared.length).toBeGreaterThan(8);
    const listed = contracts.MESSAGES.flatMap(({ filters }) => filters);
    const missing = declared.flatMap(({ filters }) =>
      filters.filter((filter) => !listed.some((wider) => covers(wider, filter))),
    );
    expect(missing).toEqual([]);
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
  const subject = contracts.publicEventSubject(type, 'g1');
  expect(contracts.publicEvents.filters.some((filter) => covers(filter, subject))).toBe(true);
});

/** Returns true when every subject that fits the narrower filter fits the wider one. */
function covers(wider: string, narrower: string): boolean {
  const [tokens, others] = [wider.split('.'), narrower.split('.')];
  return (
    tokens.length === others.length && tokens.every((token, at) => token === '*' || token === others[at])
  );
}

function isMessage(value: unknown): value is contracts.StreamContract<unknown> {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'message';
}
