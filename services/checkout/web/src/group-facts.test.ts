import { expect, it } from '@jest/globals';
import { GROUP_STATES } from '@gp/contracts';
import { readFacts } from './group-facts.ts';

it('facts of the ledger are used as they are, whatever the state', () => {
  const facts = { is_collecting: true, awaits_payers: true, is_settled: true };
  for (const state of GROUP_STATES) expect(readFacts({ state, facts })).toEqual(facts);
});

it('without facts, as from release 1.0, a group collects in the states before its first capture', () => {
  const having = (fact: keyof ReturnType<typeof readFacts>) =>
    GROUP_STATES.filter((state) => readFacts({ state })[fact]);
  expect(having('is_collecting')).toEqual(['open', 'partially_preauthorised', 'preauthorised']);
  expect(having('awaits_payers')).toEqual(['open', 'partially_preauthorised']);
  expect(having('is_settled')).toEqual([]);
});
