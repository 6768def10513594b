import type { RefundAnswer, RefundView, requestRefund as contract, RequestOf } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Db } from '@gp/pg';
import { metrics, type Logger } from '@gp/telemetry';
import { findRequest, noteOpened, storeAnswer } from '../db/requests.ts';
import { answerOf } from '../domain/answer.ts';
import { joining } from './joining.ts';
import type { By, Ledger } from './ports.ts';
import type { Attention, RefundNews } from './refund-news.ts';

type Request = RequestOf<typeof contract>;

/** What every use case of refund works with. */
export type RefundParts = {
  readonly db: Db;
  readonly log: Logger;
  readonly ledger: Ledger;
  readonly news: RefundNews;
  /** How long the gateways are waited for. */
  readonly answerWithinMs: number;
};

/** Left for the last question to the ledger, the commit, and the way back to a caller who stops listening. */
const ANSWER_RESERVE_MS = 1_500;

const answered = metrics.counter({
  name: 'gp_refund_answers_total',
  help: 'Refunds by what their asker was told',
  unit: 'refunds',
  labels: ['outcome'],
  zero: ['refunded', 'partly', 'failed'].map((outcome) => ({ outcome })),
});

/**
 * Refunds what was asked for and answers when every gateway has, or when the time is over. The ledger opens a command's
 * refund once, and its answer is stored before it is given: a repeat joins the one in hand, resumes where a dead process
 * stopped, or gets the same answer. Rejects with what the ledger refuses; such a command leaves nothing behind here.
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
  const attention = parts.news.attend(request.group_id);
  try {
    const opened = await parts.ledger.open(request, by);
    await noteOpened(parts.db, request, opened);
    const view = opened.is_settled ? opened : await ended(parts, opened, attention, { untilMs, by });
    const answer = await storeAnswer(parts.db, request.command_id, answerOf(view));
    tell(parts, request, answer);
    return answer;
  } finally {
    attention.close();
  }
}

/** The refund when it is settled, or as it stands when the time is over: the ledger has the last word. */
async function ended(
  { ledger }: RefundParts,
  opened: RefundView,
  attention: Attention,
  { untilMs, by }: { untilMs: number; by: By },
): Promise<RefundView> {
  const { merchant_id, mode, group_id, refund_id } = opened;
  const settled = await attention.settled(refund_id, untilMs);
  return settled ?? ledger.find({ merchant_id, mode, group_id, refund_id }, by);
}

function tell({ log }: RefundParts, { group_id }: Request, answer: RefundAnswer): void {
  const { refund_id, refunded, failed, group_state: state } = answer;
  const outcome = failed.length === 0 ? 'refunded' : refunded.length > 0 ? 'partly' : 'failed';
  answered.inc({ outcome });
  log.info({ group_id, refund_id, outcome, state }, 'refund answered');
}
