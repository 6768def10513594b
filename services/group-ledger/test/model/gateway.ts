import { truth, withOutcome } from './step.ts';
import {
  lateDeathMs,
  neverMs,
  computeNow,
  type Call,
  type Outcome,
  type Truth,
  type World,
} from './world.ts';

type Status = Outcome['status'];

/** One way an order may go: what it does to the books and what is answered; no answer means the adapter died. */
type Way = {
  readonly name: string;
  readonly truth: Truth;
  readonly status: Status | null;
  readonly isFault?: true;
};

/** Every way the order may go from here, each as the world after it. */
export function execute(
  world: World,
  call: Call,
  mayFail: boolean,
  visit: (name: string, next: World) => void,
): void {
  const books = readTruth(world, call);
  for (const way of listWays(world, call, books, mayFail)) {
    visit(`${call.operation} ${way.name}`, after(world, call, way));
  }
}

function readTruth(world: World, call: Call): Truth {
  const found = world.truths.find(({ authorizationId }) => authorizationId === call.authorizationId);
  return found ?? truth(call.intentId, call.authorizationId, 'none');
}

function listWays(world: World, call: Call, books: Truth, mayFail: boolean): readonly Way[] {
  const done = send(world, call, books);
  const ways = [done];
  if (call.operation === 'authorise') return authoriseWays(books, done, mayFail);
  if (!mayFail) return ways;
  const hasEffect = done.truth !== books;
  // The answer is lost: the effect may or may not have happened.
  ways.push({ isFault: true, name: 'times out', truth: books, status: 'unknown' });
  if (hasEffect) {
    ways.push({ isFault: true, name: 'times out with effect', truth: done.truth, status: 'unknown' });
    // The adapter dies between the gateway's answer and its own commit; the order is delivered again.
    if (!call.isRetried)
      ways.push({ isFault: true, name: 'takes effect, adapter dies', truth: done.truth, status: null });
    ways.push({ isFault: true, name: 'is put off', truth: books, status: 'retryable' });
    // An earlier try that the gateway still has may take effect after both sides took it for ineffective.
    if (call.operation === 'capture')
      ways.push({
        isFault: true,
        name: 'is put off, and happens late',
        truth: done.truth,
        status: 'retryable',
      });
    if (call.operation !== 'void')
      ways.push({ isFault: true, name: 'is refused', truth: books, status: 'failed' });
  }
  if (call.unlessAuthorised && books.status === 'authorised') {
    ways.push({ name: 'overtakes the payer', truth: { ...books, status: 'ended' }, status: 'voided' });
  }
  return ways;
}

function authoriseWays(books: Truth, held: Way, mayFail: boolean): readonly Way[] {
  const declined: Truth = { ...books, status: 'declined' };
  const ways: Way[] = [held, { name: 'is declined', truth: declined, status: 'declined' }];
  if (!mayFail) return ways;
  return [
    ...ways,
    { isFault: true, name: 'times out', truth: books, status: 'unknown' },
    { isFault: true, name: 'times out with effect', truth: held.truth, status: 'unknown' },
    // No process is left to answer: only the ledger's own timer finds out.
    { isFault: true, name: 'takes effect, nobody tells', truth: held.truth, status: null },
    { isFault: true, name: 'is declined, nobody tells', truth: declined, status: null },
  ];
}

/** The order as the gateway takes it when nothing goes wrong. From the second try on the adapter asks first. */
function send(world: World, call: Call, books: Truth): Way {
  switch (call.operation) {
    case 'authorise':
      return { name: 'succeeds', truth: held(world, books, lateDeathMs), status: 'authorised' };
    case 'capture':
      return capture(world, call, books);
    case 'void':
      return release(call, books);
    case 'refund':
      return refund(call, books);
  }
}

export function held(world: World, books: Truth, diesAtMs: number): Truth {
  const nowMs = computeNow(world);
  const captureBeforeMs = [diesAtMs, lateDeathMs].find((deathMs) => nowMs < deathMs - 1_000) ?? neverMs;
  return { ...books, status: 'authorised', captureBeforeMs };
}

function capture(world: World, call: Call, books: Truth): Way {
  const asksFirst = call.seq > 1 || call.isRetried;
  if (books.status === 'captured' && asksFirst)
    return { name: 'is found done', truth: books, status: 'captured' };
  if (books.status !== 'authorised' && books.status !== 'captured') {
    return { name: 'finds no hold', truth: books, status: 'lapsed' };
  }
  if (computeNow(world) > call.notAfterMs)
    return { name: 'is found undone', truth: books, status: 'retryable' };
  const captures = [...books.captures, call.operationId];
  return { name: 'succeeds', truth: { ...books, status: 'captured', captures }, status: 'captured' };
}

function release(call: Call, books: Truth): Way {
  switch (books.status) {
    case 'captured':
      return { name: 'finds a capture', truth: books, status: 'captured' };
    case 'authorised':
      if (call.unlessAuthorised)
        return { name: 'spares the hold', truth: books, status: 'already_authorised' };
      return { name: 'succeeds', truth: { ...books, status: 'ended' }, status: 'voided' };
    case 'open':
    case 'declined':
      return { name: 'ends the payment', truth: { ...books, status: 'ended' }, status: 'voided' };
    case 'ended':
      return { name: 'is found done', truth: books, status: 'voided' };
    case 'none':
      return { name: 'finds nothing', truth: books, status: 'absent' };
  }
}

// The gateway refunds once per key, and every try has its own key.
function refund(call: Call, books: Truth): Way {
  if (books.refunds.includes(call.operationId))
    return { name: 'is found done', truth: books, status: 'refunded' };
  if (books.status !== 'captured') return { name: 'finds no charge', truth: books, status: 'failed' };
  const refunds = [...books.refunds, call.operationId];
  return { name: 'succeeds', truth: { ...books, refunds }, status: 'refunded' };
}

function after(world: World, call: Call, { truth: books, status, isFault }: Way): World {
  const isKept = status === null && call.operation !== 'authorise';
  const calls = world.calls.filter((each) => each !== call);
  const { operation, intentId, authorizationId, operationId } = call;
  const outcome = status && { operation, intentId, authorizationId, operationId, status, isRepeat: false };
  return {
    ...world,
    faults: world.faults + (isFault ? 1 : 0),
    truths: withTruth(world.truths, books),
    calls: isKept ? [...calls, { ...call, isRetried: true }] : calls,
    outcomes: outcome ? withOutcome(world.outcomes, outcome) : world.outcomes,
  };
}

export function withTruth(truths: readonly Truth[], books: Truth): readonly Truth[] {
  return truths.some(({ authorizationId }) => authorizationId === books.authorizationId)
    ? truths.map((each) => (each.authorizationId === books.authorizationId ? books : each))
    : [...truths, books];
}
