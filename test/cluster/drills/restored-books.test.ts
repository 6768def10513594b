import { expect, it } from '@jest/globals';
import { judgeRestored, type RestoredPayment } from './restored-books.ts';

const payment = (change: Partial<RestoredPayment> = {}): RestoredPayment => ({
  psp_reference: 'ch_1',
  intent_id: 'i',
  status: 'captured',
  state: 'captured',
  captures: 1,
  ...change,
});

it('a restored ledger that says what the gateway says is right', () => {
  const held = payment({ status: 'authorised', state: 'preauthorised', captures: 0 });
  expect(judgeRestored([payment(), held], [])).toEqual([]);
});

it('a payment that the backup lacks, or whose state differs, is right where a task names it', () => {
  const unknown = { code: 'unknown_payment', intent_id: null, details: { psp_reference: 'ch_1' } };
  expect(judgeRestored([payment({ state: null })], [unknown])).toEqual([]);
  const differs = { code: 'books_differ', intent_id: 'i', details: {} };
  expect(judgeRestored([payment({ state: 'preauthorised' })], [differs])).toEqual([]);
});

it.each<[string, Partial<RestoredPayment>]>([
  ['that the backup lacks and no task names', { state: null }],
  ['that the gateway captured and the ledger holds', { state: 'preauthorised' }],
  ['that was captured twice', { captures: 2 }],
])('a payment %s is a fault', (_, change) => {
  expect(judgeRestored([payment(change)], [])).toHaveLength(1);
});
