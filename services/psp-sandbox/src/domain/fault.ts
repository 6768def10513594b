import type { GatewayManifest } from '@gp/gateway-registry';
import { OPERATIONS, type CallbackConduct, type Operation } from './payment.ts';

/** Every fault a gateway can be given; `delay` carries its milliseconds. */
export const FAULT_KINDS = [
  'decline',
  'delay',
  'drop_request',
  'drop_response',
  'http_500',
  'http_500_after_effect',
  'timeout',
  'timeout_after_effect',
  'rate_limit',
  'wrong_amount',
  'duplicate',
  'reorder',
  'lose',
  'async_failed',
  'malformed',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export type Fault = { readonly kind: FaultKind; readonly delayMs: number };

export type FaultRule = { readonly operation: Operation; readonly fault: Fault; readonly times: number };

/** A longer delay would exceed the timeout of every client; that is the fault `timeout`. */
const MAX_DELAY_MS = 120_000;
export const MAX_TIMES = 10_000;

/** Parses `decline`, `delay:500` …; returns undefined when it is none of them. */
export function parseFault(text: string): Fault | undefined {
  const [kind, delay, ...rest] = text.split(':');
  if (!FAULT_KINDS.includes(kind as FaultKind) || rest.length > 0) return undefined;
  if (kind !== 'delay') return delay === undefined ? { kind: kind as FaultKind, delayMs: 0 } : undefined;
  const delayMs = whole(delay, MAX_DELAY_MS);
  return delayMs === undefined ? undefined : { kind, delayMs };
}

export const faultText = ({ kind, delayMs }: Fault): string => (kind === 'delay' ? `delay:${delayMs}` : kind);

/**
 * Parses a payment's own `sandbox_fault`: `<operation>:<fault>[:<times>]`, several joined by commas. Invalid parts
 * are left out: a merchant's metadata must not break a payment.
 */
export function parseSandboxFault(text: string): FaultRule[] {
  return text.split(',').flatMap((part) => {
    const [operation, ...words] = part.trim().split(':');
    if (!OPERATIONS.includes(operation as Operation)) return [];
    const faultWords = words[0] === 'delay' ? 2 : 1;
    const fault = parseFault(words.slice(0, faultWords).join(':'));
    const times = words.length === faultWords ? 1 : whole(words[faultWords], MAX_TIMES);
    if (fault === undefined || !times || words.length > faultWords + 1) return [];
    return [{ operation: operation as Operation, fault, times }];
  });
}

const CALLBACK_ONLY_BY_CALL: readonly FaultKind[] = ['duplicate', 'reorder', 'lose'];

/** Returns why a fault cannot be played at a gateway, or undefined when it can. */
export function whyNotPlayable(
  { code, ledger, sandbox }: Pick<GatewayManifest, 'code' | 'ledger' | 'sandbox'>,
  operation: Operation,
  kind: FaultKind,
): string | undefined {
  const { hasPrepareCallbacks, hasPrepareAmount, hasLaterOutcomes } = sandbox.behaviour;
  const isSilent = operation === 'query' || (operation === 'prepare' && !hasPrepareCallbacks);
  if (operation === 'refund' && !ledger.isRefundable) return `${code} gives nothing back through its API`;
  if (kind === 'async_failed' && !hasLaterOutcomes) return `${code} does at once what it accepts`;
  if (isSilent && CALLBACK_ONLY_BY_CALL.includes(kind)) return `${operation} causes no callbacks`;
  if (kind === 'async_failed' && (isSilent || operation === 'prepare'))
    return `${operation} has nothing that could fail later`;
  if (operation === 'prepare' && kind === 'wrong_amount' && !hasPrepareAmount)
    return `prepare has no amount on ${code}`;
  if (operation === 'callback' && (kind === 'decline' || kind === 'async_failed'))
    return 'a callback reports outcomes, it has none';
  return undefined;
}

function whole(text: string | undefined, max: number): number | undefined {
  if (text === undefined || !/^\d{1,6}$/.test(text)) return undefined;
  const value = Number(text);
  return value <= max ? value : undefined;
}

/** How a call's effect is to be carried out, according to the drawn fault. */
export type Conduct = {
  readonly declines: boolean;
  readonly wrongAmount: boolean;
  readonly failsLater: boolean;
  readonly callbacks: CallbackConduct;
};

export const FAITHFUL: Conduct = {
  declines: false,
  wrongAmount: false,
  failsLater: false,
  callbacks: 'plain',
};

export function toConduct(fault: Fault | undefined): Conduct {
  const kind = fault?.kind;
  return {
    declines: kind === 'decline',
    wrongAmount: kind === 'wrong_amount',
    failsLater: kind === 'async_failed',
    callbacks: kind === 'duplicate' || kind === 'reorder' || kind === 'lose' ? kind : 'plain',
  };
}

/** Returns the wrong amount of a faulty gateway: one unit less, or one more where less would be nothing. */
export const computeWrongAmount = (amountMinor: bigint): bigint =>
  amountMinor > 1n ? amountMinor - 1n : amountMinor + 1n;
