import type { Msg } from '@gp/bundled/nats';
import type { Operator, OperatorRole, RequestOf, verifyOperator } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { BusLog } from './log.ts';
import { digestBody } from './operator-proof.ts';
import * as wire from './wire.ts';

/** Asks the ledger whose signature a request has. */
export type AskOperator = (claim: RequestOf<typeof verifyOperator>, deadline: number) => Promise<Operator>;

/** A longer one is no proof; the ledger refuses it all the same, with its own sentence. */
const LONGEST_PROOF = 500;

/**
 * Returns the operator who signed a request, before anything is done with it (Q66). Rejects with the ledger's refusal,
 * and with `service_unavailable` when the ledger gives no answer: then the request has certainly had no effect.
 */
export async function identifySender(
  o: { ask: AskOperator; log: BusLog },
  { subject, operator }: { subject: string; operator: OperatorRole },
  { msg, deadline }: { msg: Msg; deadline: number },
): Promise<Operator> {
  const proof = wire.readHeader(msg, wire.OPERATOR)?.slice(0, LONGEST_PROOF) ?? null;
  try {
    return await o.ask({ subject, digest: digestBody(msg.data), proof, needs: operator }, deadline);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    o.log.warn({ subject, code: error.code, reason: error.message }, 'a command of an operator is refused');
    if (error.code !== 'deadline_exceeded') throw error;
    throw new AppError('service_unavailable', { retryAfterSeconds: 1 }, { cause: error });
  }
}

/** Returns a handler for a call of operators: it gets the verified person beside the request. */
export function byOperator<Req, Res>(
  handler: (request: Req, operator: Operator) => Promise<Res>,
): (request: Req, context: { readonly operator?: Operator }) => Promise<Res> {
  return async (request, { operator }) => {
    if (operator === undefined) throw new AppError('unauthorized');
    return handler(request, operator);
  };
}
