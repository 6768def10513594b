import { AppError } from '@gp/errors';
import type { Requests } from './requests.ts';
import { trace } from './trace.ts';
import { contractBroken } from './validate.ts';
import { buildHeaders, MODE, MSG_ID, parseJson, TRACEPARENT } from './wire.ts';

export type Mode = 'test' | 'live';

/** A message for a stream. `id` (the outbox row's) makes a repeated publish within two minutes harmless. */
export type OutboundMessage = {
  id: string;
  subject: string;
  payload: unknown;
  mode: Mode;
  traceparent?: string;
};

const ACK_TIMEOUT_MS = 5_000;

type PubAck = { stream?: string; error?: { code: number; description: string } };

/** Publishes to JetStream and resolves when a stream has stored the message; see Bus.publish. */
export async function publishStored(
  requests: Requests,
  check: (subject: string, payload: unknown) => string | undefined,
  m: OutboundMessage,
): Promise<void> {
  const fault = check(m.subject, m.payload);
  if (fault !== undefined) throw contractBroken(m.subject, fault);
  const { subject, id: messageId, traceparent } = m;
  await trace().run({ kind: 'producer', subject, messageId, traceparent }, () => store(requests, m));
}

async function store(requests: Requests, m: OutboundMessage): Promise<void> {
  const headers = buildHeaders({
    [MSG_ID]: m.id,
    [MODE]: m.mode,
    [TRACEPARENT]: trace().current(),
  });
  const body = JSON.stringify(m.payload);
  const answer = await requests
    .send(m.subject, body, { timeoutMs: ACK_TIMEOUT_MS, headers })
    .catch((e: unknown) => Promise.reject(notStored(m.subject, e)));
  const ack = parseJson(answer.string()) as PubAck | undefined;
  if (!ack?.stream) throw notStored(m.subject, new Error(ack?.error?.description ?? 'no stream answered'));
}

/** Makes server faults retryable: the stream and the inboxes drop a repeated id. */
function notStored(subject: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const error = new Error(`${subject} was not stored`, { cause });
  return new AppError('service_unavailable', { retryAfterSeconds: 1 }, { cause: error });
}
