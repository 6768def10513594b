import { notFound } from '@gp/errors';
import {
  admittedRoute,
  clientNetwork,
  eventStream,
  formatEvent,
  type HttpHead,
  type HttpRequest,
  type HttpResponse,
  type Route,
} from '@gp/http';
import type { LiveGroups } from '../app/live-groups.ts';
import type { findPayment } from '../app/open-page.ts';
import type { PayerStreams, StreamMessage } from '../app/payer-streams.ts';
import { toScope, type Admitted, type AdmitSession } from './admission.ts';
import type { LiveOrigins } from './live-origins.ts';
import { UUID } from './uuid.ts';

export type LiveRoutes = {
  readonly admit: AdmitSession;
  readonly origins: LiveOrigins;
  readonly live: Pick<LiveGroups, 'look'>;
  readonly streams: Pick<PayerStreams, 'open'>;
  readonly findPayment: ReturnType<typeof findPayment>;
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
      handle: (request, admitted) =>
        wantsPicture(request) ? picture(o, request, admitted) : stream(o, request, admitted),
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

/** Returns true for a client that accepts JSON and does not name event streams. */
function wantsPicture({ headers }: HttpRequest): boolean {
  const accepted = (headers.accept ?? '').toLowerCase();
  return accepted.includes('application/json') && !accepted.includes('text/event-stream');
}

async function picture(o: LiveRoutes, { headers }: HttpRequest, admitted: Admitted): Promise<HttpResponse> {
  const seen = await o.live.look(toScope(admitted));
  const etag = `"${seen.rev}-${Date.parse(seen.expires_at).toString(36)}"`;
  const known = headers['if-none-match'] ?? '';
  if (known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))
    return { status: 304, headers: { ETag: etag } };
  return { status: 200, headers: { ETag: etag }, body: { ...seen, server_time: nowText() } };
}

async function stream(
  o: LiveRoutes,
  { headers, signal, remoteAddress }: HttpRequest,
  proven: Admitted,
): Promise<HttpResponse> {
  const known = String(headers['last-event-id'] ?? '');
  const knownRev = /^\d{1,15}$/.test(known) ? Number(known) : undefined;
  const messages = await o.streams.open({ proven, address: clientNetwork(remoteAddress), knownRev, signal });
  return eventStream(messages, formatMessage);
}

function formatMessage(message: StreamMessage): string {
  const server_time = nowText();
  switch (message.kind) {
    case 'snapshot':
    case 'change':
      return formatEvent(message.kind, { ...message.picture, server_time }, message.picture.rev);
    case 'heartbeat':
      return formatEvent(message.kind, { rev: message.rev, server_time });
    case 'end':
      return formatEvent(message.kind, { reason: message.reason });
  }
}

const nowText = (): string => new Date().toISOString();
