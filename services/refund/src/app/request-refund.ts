import type { RefundAnswer, RefundView, requestRefund as contract, RequestOf } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Db } from '@gp/pg';
import { metrics, type Logger } from '@gp/telemetry';
import { findRequest, saveOpened, storeAnswer } from '../db/requests.ts';
import { buildAnswer } from '../domain/build-answer.ts';
import { joining } from './joining.ts';
import type { By, Ledger } from './ports.ts';
import type { Watch, RefundUpdates } from './refund-updates.ts';

type Request = RequestOf<typeof contract>;

/** The dependencies of the use cases of refund. */
export type RefundParts = {
  readonly db: Db;
  readonly log: Logger;
  readonly ledger: Ledger;
  readonly updates: RefundUpdates;
  /** How long a request waits for the gateways, ms. */
  readonly answerWithinMs: number;
};

/** Time kept for the last query to the ledger, the commit and the answer's way back to the caller, ms. */
const ANSWER_RESERVE_MS = 1_500;

const answered = metrics.counter({
  name: 'gp_refund_answers_total',
  help: 'Refund requests by the outcome in their answer',
  unit: 'refunds',
  labels: ['outcome'],
  zero: ['refunded', 'partly', 'failed'].map((outcome) => ({ outcome })),
});

/**
 * Refunds what the request names and returns when every gateway has answered, or when `answerWithinMs` is over. The ledger
 * opens the refund of a command once, and the answer is stored before it is returned. A repeated command joins the one that
 * runs, continues after a process that died, or gets the stored answer. Rejects with the ledger's error; such a command
 * stores nothing here.
 */
export function requestRefund(parts: RefundParts): (request: Request, by: By) => Promise<RefundAnswer> {
  const join = joining<RefundAnswer>();
  return (request, by) =>
    join(`${request.command_id} ${request.fingerprint}`, async () => {
      const untilMs = Math.min(by.deadline - ANSWER_RESERVE_MS, Date.now() + parts.answerWithinMs);
      const known = await findRequest(parts.db, request.command_id);
      if (known && known.fingerprint !== request.fingerprint) throw new AppError('idempotency_key_reused');
      return known?.answer ?? run(parts, request, { untilMs, by });
    });
}

async function run(
  parts: RefundParts,
  request: Request,
  { untilMs, by }: { untilMs: number; by: By },
): Promise<RefundAnswer> {
  const watch = parts.updates.watch(request.group_id);
  try {
    const opened = await parts.ledger.open(request, by);
    await saveOpened(parts.db, request, opened);
    const view = opened.is_settled ? opened : await waitForEnd(parts, opened, watch, { untilMs, by });
    const answer = await storeAnswer(parts.db, request.command_id, buildAnswer(view));
    reportAnswer(parts, request, answer);
    return answer;
  } finally {
    watch.close();
  }
}

/** Resolves with the settled refund, or with the ledger's current view of it at `untilMs`. */
async function waitForEnd(
  { ledger }: RefundParts,
  opened: RefundView,
  watch: Watch,
  { untilMs, by }: { untilMs: number; by: By },
): Promise<RefundView> {
  const { merchant_id, mode, group_id, refund_id } = opened;
  const settled = await watch.settled(refund_id, untilMs);
  return settled ?? ledger.find({ merchant_id, mode, group_id, refund_id }, by);
}

/** Counts and logs the response. */
function reportAnswer({ log }: RefundParts, { group_id }: Request, answer: RefundAnswer): void {
  const { refund_id, refunded, failed, group_state: state } = answer;
  const outcome = failed.length === 0 ? 'refunded' : refunded.length > 0 ? 'partly' : 'failed';
  answered.inc({ outcome });
  log.info({ group_id, refund_id, outcome, state }, 'refund answered');
}
