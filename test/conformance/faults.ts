import type { Subject } from './subjects.ts';

export const OPERATIONS = ['prepare', 'authorise', 'capture', 'void', 'refund', 'query', 'callback'] as const;
export type Operation = (typeof OPERATIONS)[number];

export const FAULTS = [
  'decline',
  'delay:300',
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
export type Fault = (typeof FAULTS)[number];

export type Cell = { readonly operation: Operation; readonly fault: Fault };

const OF_CALLBACKS: readonly Fault[] = ['duplicate', 'reorder', 'lose'];

/** Every fault on every operation, but for the few that have no meaning there and that the sandbox refuses. */
export function listCells(subject: Subject): Cell[] {
  return OPERATIONS.flatMap((operation) => FAULTS.map((fault) => ({ operation, fault }))).filter(
    (cell) => !isMeaningless(subject, cell),
  );
}

function isMeaningless({ begins, authorisesFrom, lacks }: Subject, { operation, fault }: Cell): boolean {
  // Where the server authorises, nothing is sent before.
  if (operation === 'prepare' && authorisesFrom === 'server') return true;
  if (operation === 'refund' && lacks.includes('refunds')) return true;
  if (fault === 'async_failed' && lacks.includes('later')) return true;
  if (operation === 'prepare' || operation === 'query') {
    if (fault === 'async_failed') return true;
    const isSilent = operation === 'query' || begins !== 'prepare';
    return isSilent && OF_CALLBACKS.includes(fault);
  }
  return operation === 'callback' && (fault === 'decline' || fault === 'async_failed');
}
