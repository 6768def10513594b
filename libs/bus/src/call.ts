import type { Msg } from '@gp/bundled/nats';
import type { RpcContract } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { OperatorSigner } from './operator-proof.ts';
import { between, pause } from './pause.ts';
import { RequestFailed, type Requests } from './requests.ts';
import { trace } from './trace.ts';
import { DEADLINE, buildHeaders, OPERATOR, TRACEPARENT, unwrap } from './wire.ts';

/** How long a call waits for a callee that is being restarted; a supervisor brings it back within 2 s. */
const RESTART_PATIENCE_MS = 2_000;
/** How long a call waits for our own connection: long enough for a broker's rolling restart, no more. */
const RECONNECT_PATIENCE_MS = 500;

/**
 * How long a repeatable request waits before it is sent again, beside the one that may still get a reply. Longer
 * than any healthy call takes, about as long as a supervisor needs to restart a dead callee.
 */
const ASK_AGAIN_MS = 2_000;

type Caller = { readonly requests: Requests; readonly operator?: OperatorSigner | undefined };

/** Sends a request, signed where only operators may call, until `deadline` (epoch ms); see Bus.call. */
export function callContract<Req, Res>(
  caller: Caller,
  contract: RpcContract<Req, Res>,
  { request, deadline }: { request: Req; deadline: number },
): Promise<Res> {
  const { subject, repeatable, operator } = contract;
  return trace().run({ kind: 'client', subject }, async () => {
    const body = JSON.stringify(request);
    const traceparent = trace().current();
    const how = operator ? { proof: caller.operator?.sign(subject, body) } : { repeatable };
    const msg = await ask(caller.requests, subject, body, { deadline, traceparent, ...how });
    return unwrap(msg.string()) as Res;
  });
}

/**
 * Sends one message and waits for its reply until `deadline` (epoch ms). Rejects with
 * `service_unavailable` when certainly nobody received it and with `deadline_exceeded` when somebody may
 * have: the callee took too long, or the connection broke while it worked.
 */
export async function ask(
  requests: Requests,
  subject: string,
  body: string,
  o: {
    deadline: number;
    traceparent?: string | undefined;
    repeatable?: boolean | undefined;
    proof?: string | undefined;
  },
): Promise<Msg> {
  const { deadline, traceparent, proof } = o;
  const headers = buildHeaders({
    [DEADLINE]: String(deadline),
    [TRACEPARENT]: traceparent,
    [OPERATOR]: proof,
  });
  let patientSince = Date.now();
  let isInDoubt = false;
  let refused: unknown;
  for (;;) {
    const askedAt = Date.now();
    const leftMs = o.deadline - askedAt;
    if (leftMs <= 0) throw isInDoubt || !refused ? new AppError('deadline_exceeded') : translate(refused);
    try {
      const again = o.repeatable ? { againMs: ASK_AGAIN_MS } : {};
      return await requests.send(subject, body, { timeoutMs: leftMs, headers, ...again });
    } catch (e) {
      if (o.repeatable && isUnanswered(e)) {
        isInDoubt = true;
        patientSince = Date.now();
        continue;
      }
      // Measured from the send: a pause of our own process is not time in which the callee could return.
      const isOver = askedAt >= patientSince + patienceFor(e) || Date.now() >= o.deadline;
      // An earlier try may have been received, although nobody received this one.
      if (isOver) throw isInDoubt ? new AppError('deadline_exceeded', {}, { cause: e }) : translate(e);
      refused = e;
    }
    // Safe to repeat: nobody received it.
    await pause(Math.min(between(50, 200), o.deadline - Date.now()));
  }
}

/** True when a callee may have received the request but sent no reply. */
function isUnanswered(e: unknown): boolean {
  return e instanceof RequestFailed && (e.fault === 'timeout' || e.fault === 'lost');
}

function patienceFor(e: unknown): number {
  if (!(e instanceof RequestFailed)) return 0;
  if (e.fault === 'no_responders') return RESTART_PATIENCE_MS;
  return e.fault === 'disconnected' ? RECONNECT_PATIENCE_MS : 0;
}

function translate(e: unknown): unknown {
  if (!(e instanceof RequestFailed)) return e;
  const nobodyReceivedIt = e.fault === 'no_responders' || e.fault === 'disconnected';
  if (nobodyReceivedIt) return new AppError('service_unavailable', { retryAfterSeconds: 1 }, { cause: e });
  return new AppError('deadline_exceeded', {}, { cause: e });
}
