import { expect, it } from '@jest/globals';
import type { TransitionView } from '@gp/contracts';
import { buildTimeline } from './timeline.ts';

const id = '0198c3f0-0000-7000-8000-00000000000a';
const transition: TransitionView = {
  id,
  entity: 'intent',
  entity_id: id,
  state_from: 'processing',
  state_to: 'failed',
  actor: 'gateway_a:response',
  is_command: false,
  trace_id: null,
  at: '2026-01-01T00:00:00.000Z',
};
const message = 'the card has insufficient funds';

it('a failure in a timeline has its code, its sentence and the reason of a decline (B8)', () => {
  const failure = { code: 'card_declined', message, retryable: true };
  const [entry] = buildTimeline([{ ...transition, failure, psp_reference: 'pi_1' }], []);
  const told = { code: 'card_declined', message, decline_reason: 'insufficient_funds' };
  expect(entry).toMatchObject({ failure: told, psp_reference: 'pi_1' });
});

it('a transition without a failure, and one of a ledger that reports none, has no reason in the timeline', () => {
  const entries = buildTimeline([{ ...transition, failure: null, psp_reference: null }, transition], []);
  for (const entry of entries) expect(entry).toMatchObject({ failure: null, psp_reference: null });
  expect(entries).toHaveLength(2);
});
