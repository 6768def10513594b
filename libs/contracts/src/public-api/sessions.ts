import Type, { type Static } from '@gp/bundled/typebox';
import { Uuid } from '../common.ts';
import { LONGEST_SESSION_SECONDS, SHORTEST_SESSION_SECONDS } from '../checkout/sessions.ts';
import { Id, Request, Response } from './fields.ts';

export const CreateSessionRequest = Request('CreateSessionRequest', {
  expires_in: Type.Optional(
    Type.Integer({
      minimum: SHORTEST_SESSION_SECONDS,
      maximum: LONGEST_SESSION_SECONDS,
      description: 'Lifetime of the token in seconds; 1800 unless told.',
    }),
  ),
  customer_email: Type.Optional(
    Type.String({
      format: 'email',
      maxLength: 320,
      description: 'The only payer the token can pay for. The token does not hold the address.',
    }),
  ),
  slot_ids: Type.Optional(
    Type.Array(Uuid, {
      minItems: 1,
      maxItems: 30,
      uniqueItems: true,
      description: 'The only slots the token can pay.',
    }),
  ),
});
export type CreateSessionRequest = Static<typeof CreateSessionRequest>;

export const SessionToken = Response('SessionToken', {
  token: Type.String({
    description: 'Goes to the browser, which sends it as its bearer token.',
    examples: ['eyJhbGciOiJFZERTQSJ9.eyJncCI6IjAxOThjMGRlIn0.c2lnbmF0dXJl'],
  }),
  group_payment_id: Id('The only group payment the token opens.'),
  expires_in: Type.Integer({
    examples: [1_800],
    description:
      'Seconds until it ends: at the latest 30 minutes after a group payment that can be paid expires.',
  }),
});
