import { expect, it } from '@jest/globals';
import { access } from './access.ts';

it('every call that the operators’ identity on the bus may make needs the signature of a person (Q66)', () => {
  const calls = (access.calls ?? []).map((call) => ({ operator: undefined, ...call }));
  expect(calls.length).toBeGreaterThan(50);
  expect(calls.filter(({ operator }) => operator === undefined)).toEqual([]);
  expect(access).not.toHaveProperty('publishes');
});
