import { notFound } from '@gp/errors';
import { admittedRoute, type HttpHead, type Route } from '@gp/http';
import type { GroupScope } from '../app/live-groups.ts';
import type { findPayment } from '../app/open-page.ts';
import type { Reader } from '../app/payer-streams.ts';
import { toScope, type Admitted, type AdmitSession } from './admission.ts';
import { answerLive, type LiveParts } from './answer-live.ts';
import type { LiveOrigins } from './live-origins.ts';
import { UUID } from './uuid.ts';

export type LiveRoutes = LiveParts & {
  readonly admit: AdmitSession;
  readonly origins: LiveOrigins;
  readonly findPayment: ReturnType<typeof findPayment>;
  readonly hideName: (scope: GroupScope, paymentIntentId: string) => Promise<void>;
  readonly isGood: (token: string) => Promise<boolean>;
};

const EVENTS = '/v1/group-payments/:id/events';
const PAYMENT = '/v1/group-payments/:id/payments/:payment_intent_id';
const SHOWN_NAME = `${PAYMENT}/shown-name`;

/**
 * The routes that payers' pages watch: the slots of a group, as stream or picture, and the payer's payment; and the one that takes
 * back that others see the payer's name. Whoever knows the id of a payment may do that, as he may read what became of it.
 */
export function liveRoutes(o: LiveRoutes): Route[] {
  const admit = async (head: HttpHead): Promise<Admitted> => {
    const known = o.admit(head);
    const proven = await known.catch(() => undefined);
    // Set before any refusal: a page that cannot read its 401 would not know that it needs a new token.
    await o.origins.setHeaders(head, proven && toScope(proven));
    const admitted = await known;
    if (head.params['id']?.toLowerCase() !== admitted.claims.gp) throw notFound('group payment');
    return admitted;
  };
  return [
    admittedRoute({
      method: 'GET',
      path: EVENTS,
      admit,
      handle: (request, admitted) => answerLive(o, request, toReader(o, admitted)),
    }),
    admittedRoute({
      method: 'GET',
      path: PAYMENT,
      admit,
      async handle({ params }, admitted) {
        return { status: 200, body: await o.findPayment(toScope(admitted), readPayment(params)) };
      },
    }),
    admittedRoute({
      method: 'DELETE',
      path: SHOWN_NAME,
      admit,
      async handle({ params }, admitted) {
        await o.hideName(toScope(admitted), readPayment(params));
        return { status: 200, body: {} };
      },
    }),
    o.origins.preflight(EVENTS),
    o.origins.preflight(PAYMENT),
    o.origins.preflight(SHOWN_NAME, 'DELETE'),
  ];
}

function readPayment(params: HttpHead['params']): string {
  const id = params['payment_intent_id'] ?? '';
  if (!UUID.test(id)) throw notFound('payment intent');
  return id.toLowerCase();
}

const toReader = (o: LiveRoutes, admitted: Admitted): Reader => {
  const { claims, endsAtMs, token } = admitted;
  const { jti: key, epoch } = claims;
  return { scope: toScope(admitted), key, epoch, endsAtMs, isGood: () => o.isGood(token) };
};
