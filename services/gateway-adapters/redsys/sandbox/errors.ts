import { type Answer, type DeclineReason, type Dialect, type Refusal, Refused } from '@gp/psp-sandbox/kit';
import { errorPage } from './pages.ts';

/** Returns an error of the REST interface: always 200, never signed. */
export const errorAnswer = (code: string, outcome = 'refused'): Answer => ({
  status: 200,
  body: { errorCode: code },
  outcome,
});

/** An invalid message, reported in the format of its sender: to a browser as a page, to a server as a code. */
export class Senseless extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`refused with ${code}`);
    this.code = code;
  }
}

export const refusedToServer = ({ code }: Senseless): Refused => new Refused(errorAnswer(code));
export const refusedToBrowser = ({ code }: Senseless): Refused => new Refused(pageAnswer(errorPage(code)));

/** Returns a page as the answer to a call that the books record. */
export function pageAnswer(
  page: ReturnType<typeof errorPage>,
  outcome = 'refused',
  pspReference?: string,
): Answer {
  const { status, body, headers, contentType = 'text/html; charset=utf-8' } = page;
  return {
    status,
    body,
    headers: { ...(headers as Record<string, string>), 'Content-Type': contentType },
    outcome,
    ...(pspReference !== undefined && { pspReference }),
  };
}

/** Returns the answer for a step that the books refused. */
export function refusalAnswer(step: 'capture' | 'void' | 'refund', refusal: Refusal, status: string): Answer {
  return errorAnswer(toErrorCode(step, refusal, status));
}

function toErrorCode(step: 'capture' | 'void' | 'refund', refusal: Refusal, status: string): string {
  if (step === 'refund') return refusal === 'amount_too_large' ? 'SIS0057' : 'SIS0054';
  if (step === 'void') {
    if (status === 'voided') return 'SIS0222';
    if (status === 'expired') return 'SIS0530';
    return status === 'captured' || status === 'refunded' ? 'SIS0072' : 'SIS0223';
  }
  if (refusal === 'amount_too_large') return 'SIS0062';
  if (refusal === 'hold_expired' || status === 'expired') return 'SIS0132';
  if (status === 'captured' || status === 'refunded') return 'SIS0060';
  return status === 'voided' ? 'SIS0058' : 'SIS0061';
}

/** The Ds_Response of each refusal by the issuer. */
const RESPONSES: Readonly<Record<DeclineReason, string>> = {
  generic_decline: '0190',
  insufficient_funds: '0116',
  lost_card: '0208',
  stolen_card: '0209',
  expired_card: '0101',
  incorrect_cvc: '0129',
  processing_error: '0909',
  card_velocity_exceeded: '9261',
  authentication_failed: '0184',
};

export const toResponseCode = (reason: DeclineReason): string => RESPONSES[reason];
export const APPROVED_RESPONSE = '0000';
export const CANCELLED_BY_PAYER = '9915';
export const REFUND_NOT_ALLOWED = '0950';

/** Responses to servers that do not depend on the call. The gateway has no idempotency keys. */
export const dialect: Dialect = {
  rateLimited: () => ({ status: 429, body: {}, outcome: 'rate_limited' }),
  broken: () => ({ status: 500, body: {}, outcome: 'failed' }),
  keyInUse: () => errorAnswer('SIS0295', 'key_in_use'),
  keyReused: () => errorAnswer('SIS0051', 'key_reused'),
  keeps: () => false,
  replayHeaders: {},
};

/** The same responses for a payer's browser. */
export const pageDialect: Dialect = {
  ...dialect,
  rateLimited: () => pageAnswer(errorPage('9998', 429), 'rate_limited'),
  broken: () => pageAnswer(errorPage('0909', 500), 'failed'),
};
