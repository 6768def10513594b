import { describe, expect, it } from '@jest/globals';
import { authorizationMachine } from './authorization/authorization.machine.ts';
import { findings } from './group/derive.ts';
import { groupMachine } from './group/group.machine.ts';
import { intentMachine } from './intent/intent.machine.ts';
import { slotMachine } from './slot/slot.machine.ts';

/** The moves of a machine as `from>to`, whatever triggers them. */
function moves(machine: { matrix(): readonly { from: string; to: string | null }[] }): readonly string[] {
  const found = machine.matrix().flatMap(({ from, to }) => (to === null ? [] : [`${from}>${to}`]));
  return [...new Set(found)].toSorted();
}

describe('slots move exactly as decided, whole matrix', () => {
  it('the slot machine has these moves and no others', () => {
    expect(moves(slotMachine)).toEqual(
      [
        'unassigned>assigned',
        'unassigned>preauthorised',
        'unassigned>expired',
        'unassigned>cancelled',
        'assigned>preauthorised',
        'assigned>unassigned',
        'assigned>expired',
        'assigned>cancelled',
        'preauthorised>captured',
        'preauthorised>unassigned',
        'preauthorised>cancelled',
        'preauthorised>expired',
        'captured>refunded',
        'captured>cancelled',
        'refunded>captured',
        'cancelled>preauthorised',
        'cancelled>captured',
        'expired>captured',
      ].toSorted(),
    );
  });

  it('the slot machine reaches every state from unassigned and leaves expired only for a capture made outside (C8)', () => {
    expect(slotMachine.unreachable()).toEqual([]);
    expect(moves(slotMachine).filter((move) => move.startsWith('expired'))).toEqual(['expired>captured']);
    expect(slotMachine.final).toEqual([]);
  });
});

describe('payment intents move exactly as decided, whole matrix', () => {
  it('the intent machine has these moves and no others', () => {
    expect(moves(intentMachine)).toEqual(
      [
        'created>processing',
        'created>failed',
        'created>void_pending',
        'processing>preauthorised',
        'processing>failed',
        'processing>void_pending',
        'failed>processing',
        'failed>preauthorised',
        'failed>captured',
        'preauthorised>capture_pending',
        'preauthorised>failed',
        'preauthorised>void_pending',
        'preauthorised>captured',
        'capture_pending>captured',
        'capture_pending>capture_failed',
        'capture_pending>void_pending',
        'capture_failed>capture_pending',
        'capture_failed>captured',
        'captured>refund_pending',
        'captured>refunded',
        'captured>capture_failed',
        'refund_pending>refunded',
        'refund_pending>captured',
        'refunded>captured',
        'void_pending>captured',
        'void_pending>voided',
      ].toSorted(),
    );
  });

  it('the intent machine reaches every state from created and never leaves voided', () => {
    expect(intentMachine.unreachable()).toEqual([]);
    expect(intentMachine.final).toEqual(['voided']);
  });
});

describe('groups move exactly as decided, whole matrix', () => {
  it('the group machine expires and cancels only while collecting', () => {
    const collecting = ['open', 'partially_preauthorised', 'preauthorised'];
    for (const { from, trigger, to } of groupMachine.matrix()) {
      if (trigger === 'expire') expect(to).toBe(collecting.includes(from) ? 'expired' : null);
      if (trigger === 'cancel') expect(to).toBe(collecting.includes(from) ? 'cancelled' : null);
    }
  });

  it('the group machine never leads from holds to partially_paid or paid without capturing, but for captures made outside', () => {
    expect(groupMachine.next('open', 'some_captured')).toBeUndefined();
    expect(groupMachine.next('partially_preauthorised', 'all_captured')).toBeUndefined();
    expect(groupMachine.next('open', 'all_captured')).toBeUndefined();
  });

  it('the group machine leads to every state that derive returns', () => {
    for (const { trigger, to } of groupMachine.matrix()) {
      if (to !== null) expect(findings[to as keyof typeof findings]).toBe(trigger);
    }
  });

  it('the group machine reaches every state but draft, which this version never produces', () => {
    expect(groupMachine.unreachable()).toEqual(['draft']);
    expect(groupMachine.final).toEqual(['draft', 'expired', 'cancelled']);
  });
});

describe('attempts', () => {
  it('authorizations never hold again once their hold ended', () => {
    expect(authorizationMachine.final).toEqual(['cancelled', 'voided']);
    expect(authorizationMachine.unreachable()).toEqual([]);
  });
});
