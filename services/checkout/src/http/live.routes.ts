import { notFound } from '@gp/errors';
import { admittedRoute, type HttpHead, type Route } from '@gp/http';
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
  readonly isGood: (token: string) => Promise<boolean>;
};

const EVENTS = '/v1/group-payments/:id/events';
const PAYMENT = '/v1/group-payments/:id/payments/:payment_intent_id';

/** The routes that payers' pages watch: the slots of a group, as stream or picture, and the payer's payment. */
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
        const id = params['payment_intent_id'] ?? '';
        if (!UUID.test(id)) throw notFound('payment intent');
        return { status: 200, body: await o.findPayment(toScope(admitted), id.toLowerCase()) };
      },
    }),
    o.origins.preflight(EVENTS),
    o.origins.preflight(PAYMENT),
  ];
}

const toReader = (o: LiveRoutes, admitted: Admitted): Reader => {
  const { claims, endsAtMs, token } = admitted;
  const { jti: key, epoch } = claims;
  return { scope: toScope(admitted), key, epoch, endsAtMs, isGood: () => o.isGood(token) };
};
