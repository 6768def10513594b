import { expect, it } from '@jest/globals';
import { staleFiles } from '@gp/testing';
import { paymentMachine } from '../src/domain/payment.machine.ts';
import { generated } from './generated.ts';

it('the README and the schema equal what the source generates; otherwise run `node test/generate.ts`', async () => {
  expect(await staleFiles(generated)).toEqual([]);
});

it('every status of a payment can be reached, and only a released hold is final', () => {
  expect(paymentMachine.unreachable()).toEqual([]);
  expect(paymentMachine.final).toEqual(['voided', 'expired']);
});
