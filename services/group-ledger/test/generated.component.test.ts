import { expect, it } from '@jest/globals';
import { staleFiles } from '@gp/testing';
import { authorizationMachine, groupMachine, intentMachine, slotMachine } from '../src/domain/index.ts';
import { generated } from './generated.ts';

it('README, schema and statements equal what the source generates; otherwise run `npm run generate`', async () => {
  expect(await staleFiles(generated)).toEqual([]);
});

it('every state can be reached except the draft, which this version never makes (Q2)', () => {
  expect(groupMachine.unreachable()).toEqual(['draft']);
  for (const machine of [slotMachine, intentMachine, authorizationMachine])
    expect(machine.unreachable()).toEqual([]);
});
