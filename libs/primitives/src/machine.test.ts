import { describe, expect, it } from '@jest/globals';
import { defineMachine, type Table } from './index.ts';

type Status = 'created' | 'held' | 'captured' | 'voided';
type Trigger = 'hold' | 'capture' | 'void';

const table = {
  created: { hold: 'held', void: 'voided' },
  held: { capture: 'captured', void: 'voided' },
  captured: {},
  voided: {},
} as const satisfies Table<Status, Trigger>;

const payment = defineMachine<Status, Trigger>({
  name: 'payment',
  initial: 'created',
  triggers: ['hold', 'capture', 'void'],
  table,
});

describe('a machine', () => {
  it('a machine goes where the table leads and nowhere else', () => {
    expect(payment.next('created', 'hold')).toBe('held');
    expect(payment.next('captured', 'void')).toBeUndefined();
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'a machine refuses %s as a status and as a trigger',
    (word) => {
      expect(payment.next(word as Status, 'hold')).toBeUndefined();
      expect(payment.next('created', word as Trigger)).toBeUndefined();
    },
  );

  it('a machine lists every status × trigger', () => {
    const cells = payment.matrix();
    expect(cells).toHaveLength(4 * 3);
    expect(cells.filter(({ to }) => to !== null)).toEqual([
      { from: 'created', trigger: 'hold', to: 'held' },
      { from: 'created', trigger: 'void', to: 'voided' },
      { from: 'held', trigger: 'capture', to: 'captured' },
      { from: 'held', trigger: 'void', to: 'voided' },
    ]);
  });

  it('a machine knows its final statuses', () => {
    expect(payment.final).toEqual(['captured', 'voided']);
  });

  it('a machine finds statuses that nothing leads to, cycles or not', () => {
    const islands = defineMachine<'a' | 'b' | 'c' | 'd', 'go'>({
      name: 'islands',
      initial: 'a',
      triggers: ['go'],
      table: { a: { go: 'b' }, b: { go: 'a' }, c: { go: 'd' }, d: { go: 'c' } },
    });
    expect(payment.unreachable()).toEqual([]);
    expect(islands.unreachable()).toEqual(['c', 'd']);
    expect(islands.final).toEqual([]);
  });

  it('a machine draws itself, with one arrow for all triggers between two statuses', () => {
    const door = defineMachine<'open' | 'shut', 'push' | 'slam'>({
      name: 'door',
      initial: 'open',
      triggers: ['push', 'slam'],
      table: { open: { push: 'shut', slam: 'shut' }, shut: {} },
    });
    expect(door.diagram()).toBe(
      ['stateDiagram-v2', '  [*] --> open', '  open --> shut: push, slam', '  shut --> [*]', ''].join('\n'),
    );
  });

  it('a machine infers its types from the table alone', () => {
    const inferred = defineMachine({
      name: 'payment',
      initial: 'created',
      triggers: ['hold', 'capture', 'void'],
      table,
    });
    const next: Status | undefined = inferred.next('created', 'hold');
    expect(next).toBe('held');
  });

  it('a machine refuses a table that names an undeclared status', () => {
    const faulty = { a: { go: 'nowhere', fly: 'a' } } as unknown as Table<'a', 'go'>;
    expect(() =>
      defineMachine<'a', 'go'>({ name: 'm', initial: 'x' as 'a', triggers: ['go'], table: faulty }),
    ).toThrow('machine m does not declare: initial status x, status nowhere after a, trigger fly of a');
  });
});
