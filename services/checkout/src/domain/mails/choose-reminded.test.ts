import { describe, expect, it } from '@jest/globals';
import { INTENT_STATES, type IntentState } from '@gp/contracts';
import { chooseReminded } from './choose-reminded.ts';

const free = [{ state: 'unassigned' as const }, { state: 'assigned' as const }];
const taken = [{ state: 'assigned' as const }];
const payment = (id: string, state: IntentState, email = 'ada@example.com', unknown = false) => ({
  id,
  state,
  email,
  unknown,
});
const choose = (payments: Parameters<typeof chooseReminded>[0], slots = free) =>
  chooseReminded(payments, slots).map(({ payment_intent_id }) => payment_intent_id);

describe('the payers whom an organiser reminds', () => {
  it.each(INTENT_STATES)(
    'a payer whose payment is %s is reminded only if nothing is held or on its way (Q87)',
    (state) => {
      const isReminded = ['created', 'failed', 'voided'].includes(state);
      expect(choose([payment('1', state)])).toEqual(isReminded ? ['1'] : []);
      expect(choose([payment('1', state, 'ada@example.com', true)])).toEqual([]);
    },
  );

  it('an address with another payment that is held is not reminded, and one with several unfinished is reminded once (Q87)', () => {
    expect(choose([payment('2', 'failed'), payment('1', 'preauthorised')])).toEqual([]);
    expect(choose([payment('2', 'created'), payment('1', 'failed')])).toEqual(['2']);
    expect(choose([payment('2', 'created'), payment('1', 'failed', 'ben@example.com')])).toEqual(['2', '1']);
  });

  it('while no slot is free only payers who have reserved one are reminded (Q87)', () => {
    expect(choose([payment('1', 'created'), payment('2', 'failed', 'ben@example.com')], taken)).toEqual([
      '1',
    ]);
  });

  it('an erased payer is not reminded (Q31)', () => {
    expect(choose([payment('1', 'failed', 'erased-1@erased.invalid')])).toEqual([]);
  });
});
