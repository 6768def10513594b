import type { EventNoun, EventType, SentEvent } from '@gp/contracts';
import { pspCodes } from '@gp/gateway-registry';

/** No group, payment or slot of ours ever has this id. */
const NOTHING = '00000000-0000-0000-0000-000000000000';

/**
 * Returns a sample event of this type: every id is the nil UUID, every amount zero, and `data` says that it is a test.
 * Real events have no such field.
 */
export function testEvent(
  type: EventType,
  o: { readonly id: string; readonly now: Date; readonly mode: 'test' | 'live' },
): SentEvent {
  const [noun, verb] = type.split('.') as [EventNoun, string];
  const created = o.now.toISOString();
  const common = {
    is_test_event: true,
    group_payment_id: NOTHING,
    state: verb,
    is_test_mode: o.mode === 'test',
    sequence: 1,
    occurred_at: created,
    currency: 'EUR',
    merchant_order_id: 'test',
    client_reference: null,
    metadata: {},
  };
  return { id: o.id, type, created, data: { ...common, ...details[noun](verb, { created }) } };
}

/** Fields that an event adds to the common ones, by its noun and for its verb. */
const details: Readonly<
  Record<EventNoun, (verb: string, o: { readonly created: string }) => Record<string, unknown>>
> = {
  payment_intent: describeIntent,
  group_payment: describeGroup,
};

function describeGroup(verb: string, { created }: { readonly created: string }): Record<string, unknown> {
  return {
    ...(verb === 'updated' && { state: 'open', group_name: 'Test', expires_at: created }),
    amount_captured: 0,
    amount_refunded: 0,
  };
}

function describeIntent(verb: string): Record<string, unknown> {
  return {
    ...(verb === 'released' && { state: 'voided' }),
    ...(/^dispute/.test(verb) && { state: 'captured' }),
    payment_intent_id: NOTHING,
    psp_code: pspCodes[0],
    amount: 0,
    slot_ids: [NOTHING],
    ...(verb === 'failed' && {
      failure: {
        stage: 'authorise',
        code: 'card_declined',
        message: 'the card was declined',
        retryable: true,
      },
    }),
    ...(verb === 'refunded' && { refund_id: NOTHING }),
  };
}
