import { clientNetwork, eventStream, formatEvent, type HttpRequest, type HttpResponse } from '@gp/http';
import type { LiveGroups } from '../app/live-groups.ts';
import type { PayerStreams, Reader, StreamMessage } from '../app/payer-streams.ts';
import { toPictureBody } from './picture-body.ts';

export type LiveParts = {
  readonly live: Pick<LiveGroups, 'look'>;
  readonly streams: Pick<PayerStreams, 'open'>;
};

/** Answers a reader with the live stream of a group, or with its picture for a client that asks for JSON. */
export const answerLive = (o: LiveParts, request: HttpRequest, reader: Reader): Promise<HttpResponse> =>
  wantsPicture(request) ? answerPicture(o, request, reader) : answerStream(o, request, reader);

/** Returns true for a client that accepts JSON and does not name event streams. */
function wantsPicture({ headers }: HttpRequest): boolean {
  const accepted = (headers.accept ?? '').toLowerCase();
  return accepted.includes('application/json') && !accepted.includes('text/event-stream');
}

async function answerPicture(
  o: LiveParts,
  { headers }: HttpRequest,
  { scope }: Reader,
): Promise<HttpResponse> {
  const seen = await o.live.look(scope);
  const etag = `"${seen.rev}-${Date.parse(seen.expires_at).toString(36)}"`;
  const known = headers['if-none-match'] ?? '';
  if (known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))
    return { status: 304, headers: { ETag: etag } };
  return { status: 200, headers: { ETag: etag }, body: toPictureBody(seen) };
}

async function answerStream(
  o: LiveParts,
  { headers, signal, remoteAddress }: HttpRequest,
  reader: Reader,
): Promise<HttpResponse> {
  const known = String(headers['last-event-id'] ?? '');
  const knownRev = /^\d{1,15}$/.test(known) ? Number(known) : undefined;
  const messages = await o.streams.open({ reader, address: clientNetwork(remoteAddress), knownRev, signal });
  return eventStream(messages, formatMessage);
}

function formatMessage(message: StreamMessage): string {
  switch (message.kind) {
    case 'snapshot':
    case 'change':
      return formatEvent(message.kind, toPictureBody(message.picture), message.picture.rev);
    case 'heartbeat':
      return formatEvent(message.kind, { rev: message.rev, server_time: new Date().toISOString() });
    case 'end':
      return formatEvent(message.kind, { reason: message.reason });
  }
}
