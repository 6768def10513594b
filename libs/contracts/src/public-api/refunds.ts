import Type, { type Static } from '@gp/bundled/typebox';
import { REFUNDED_STATES } from '../common.ts';
import { Gateway, Id, Request, Response } from './fields.ts';

export const RefundRequest = Request('RefundRequest', {
  slot_ids: Type.Optional(
    Type.Array(Id('A slot of this group payment.'), {
      minItems: 1,
      maxItems: 30,
      uniqueItems: true,
      description:
        'Refund only the captured payments that cover these slots. When omitted: everything that is captured.',
    }),
  ),
});
export type RefundRequest = Static<typeof RefundRequest>;

export const RefundResponse = Response('RefundResponse', {
  refunded_payment_intents: Type.Array(Id('A payment whose whole amount went back to its payer.')),
  refunded_slot_ids: Type.Array(Id('A slot of such a payment, whether it was named in the request or not.')),
  failed: Type.Array(
    Response('FailedRefund', {
      payment_intent_id: Id('The payment that was not refunded, or is not known to be.'),
      psp_code: { ...Gateway, description: 'Its gateway.' },
      code: Type.String({
        description:
          'Why, for a program; the guide to errors lists the values. `outcome_unknown`: the refund may still succeed.',
      }),
      error: Type.String({ description: 'Why, for a person.' }),
    }),
    { description: 'Empty on full success.' },
  ),
  group_state: Type.String({
    enum: [...REFUNDED_STATES],
    description: 'What became of the group payment; a refund whose outcome is unknown counts as failed.',
  }),
});
