import { INTENT_STATES, type IntentView } from '@gp/contracts';
import { intent } from '../../test/support/checkout.ts';
import { statusOf } from './payment-status.ts';

const status = (state: IntentView['state'], unknown = false): string =>
  statusOf({ ...intent, state, unknown }).status;

describe('what a payer is told of his payment', () => {
  it('tells a charge that was refused from a card that was refused (D5, B8)', () => {
    expect([status('capture_failed'), status('failed')]).toEqual(['capture_failed', 'failed']);
  });

  it('is pending while nobody knows whether there is a hold (B1)', () => {
    expect(status('processing', true)).toBe('pending');
    expect(status('void_pending', true)).toBe('pending');
  });

  it('is still held, or charged, while a charge or a refund is in doubt (D3, E5)', () => {
    expect([status('capture_pending', true), status('refund_pending', true)]).toEqual(['held', 'captured']);
  });

  it('has a word for every state', () => {
    for (const state of INTENT_STATES) expect(status(state)).toMatch(/^[a-z_]+$/);
  });
});
