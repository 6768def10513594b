import { waitAfter, type Ladder } from './ladder.ts';

const NO_ANSWERS = [
  'address_blocked',
  'dns',
  'connect',
  'connect_timeout',
  'tls',
  'reset',
  'timeout',
  'protocol',
] as const;
/** Why no answer was had. */
export type NoAnswer = (typeof NO_ANSWERS)[number];

/** What an attempt met. An answer counts once its body has ended or reached the limit of what we read. */
export type Answer =
  | { readonly kind: 'answer'; readonly status: number; readonly retryAfterMs?: number | undefined }
  | { readonly kind: 'none'; readonly error: NoAnswer };

/** What becomes of the delivery; `waitMs` counts from the moment it is recorded. */
export type Verdict =
  | { readonly status: 'delivered' | 'failed' | 'resumed' }
  | { readonly status: 'pending'; readonly waitMs: number };

/** Judges the n-th attempt: any 2xx acknowledges, everything else climbs the ladder until it ends. */
export function judge(
  answer: Answer,
  attempt: number,
  o: { readonly ladder: Ladder; readonly random: number },
): Verdict {
  if (isAcknowledged(answer)) return { status: 'delivered' };
  const retryAfterMs = answer.kind === 'answer' ? answer.retryAfterMs : undefined;
  const waitMs = waitAfter(o.ladder, attempt, { random: o.random, retryAfterMs });
  return waitMs === undefined ? { status: 'failed' } : { status: 'pending', waitMs };
}

/** Judges an attempt that a merchant asked for: acknowledged, it ends the ladder; else it has changed nothing. */
export function judgeResend(answer: Answer): Verdict {
  return { status: isAcknowledged(answer) ? 'delivered' : 'resumed' };
}

export function isAcknowledged(answer: Answer): boolean {
  return answer.kind === 'answer' && answer.status >= 200 && answer.status < 300;
}

/** The words of `outcomeOf` that receivers have use for. */
export const OUTCOMES = ['acknowledged', 'redirect', 'status_4xx', 'status_5xx', ...NO_ANSWERS] as const;

/** One word for metrics and the attempt log: `acknowledged`, `redirect`, `status_4xx` … or why there was no answer. */
export function outcomeOf(answer: Answer): string {
  if (answer.kind === 'none') return answer.error;
  if (isAcknowledged(answer)) return 'acknowledged';
  const hundred = Math.floor(answer.status / 100);
  return hundred === 3 ? 'redirect' : `status_${hundred}xx`;
}
