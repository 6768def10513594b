import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openApi } from '@gp/reference';
import { openAsker, type Asked, type Asker } from '../../contract/asker.ts';
import { CALLERS, openCast, type Cast } from '../../contract/cast.ts';
import { describedIn, type Described } from '../../contract/requests.ts';
import { apiContract } from '../../support/api-contract.ts';
import { openEndpoint, type Endpoint } from '../../support/endpoint.ts';
import { openSharedStack, type SharedStack } from '../../support/shared-stack.ts';
import { minutes, patienceMs, report, seed } from '../long-run.ts';

/** Requests of each operation in a round, by each caller in turn and twice by the owner. */
const OF_EACH = 2 * CALLERS.length;
const TURNS = CALLERS.flatMap((who) => ['owner' as const, who]);
/** A build sends so many; a long run goes on until its time is over and as many were sent. */
const REQUESTS_OF_A_BUILD = 1_500;
const REQUESTS_OF_A_LONG_RUN = 100_000;
/** Sent side by side, so that they also disturb one another. */
const TOGETHER = 12;

let shared: SharedStack;
let endpoint: Endpoint;
let cast: Cast;
let asker: Asker;
let operations: Described[];

beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_a', 'gateway_b'] });
  endpoint = await openEndpoint();
  cast = await openCast(shared.stack, endpoint);
  asker = openAsker({ base: shared.stack.api, cast, published: await apiContract() });
  operations = describedIn(await openApi());
}, 240_000);
afterAll(async () => {
  await endpoint?.close();
  await shared?.close();
});

/** The requests of one round: each operation by every caller, in an order in which neighbours differ. */
function generateRound(round: number): Asked[] {
  const drafts = operations.map(({ draft }, index) =>
    fc.sample(draft, { numRuns: OF_EACH, seed: seed * 1_000_003 + round * 101 + index }),
  );
  return TURNS.flatMap((who, turn) =>
    operations.flatMap((operation, index) => {
      const draft = drafts[index]?.[turn];
      return draft ? [{ operation, draft, who }] : [];
    }),
  );
}

type Verdict = { readonly status: number; readonly fault: string | undefined; readonly ms: number };

/** Sends one request and judges the answer. */
async function judge(asked: Asked): Promise<Verdict> {
  const startedAt = performance.now();
  const verdict = (status: number, fault: string | undefined) => ({
    status,
    fault,
    ms: performance.now() - startedAt,
  });
  try {
    const answer = await asker.ask(asked);
    if (asked.who === 'owner' && answer.status < 300) cast.collect(asked.draft.operation, answer.body);
    if (!/^req_/.test(answer.headers.get('request-id') ?? ''))
      return verdict(answer.status, 'has no Request-Id');
    return verdict(answer.status, asker.findFault(asked, answer));
  } catch (error) {
    return verdict(0, String(error).slice(0, 400));
  }
}

/** Requests without end, round after round. */
function* generateRequests(): Generator<Asked & { round: number }> {
  for (let round = 0; ; round++) for (const asked of generateRound(round)) yield { ...asked, round };
}

/** Counts the requests sent and their results. */
function openTally() {
  const [statuses, failures, seconds]: [Record<number, number>, string[], Map<string, number>] = [
    {},
    [],
    new Map(),
  ];
  let sent = 0;
  return {
    failures,
    isDone: (endsAt: number): boolean =>
      minutes === undefined
        ? sent >= REQUESTS_OF_A_BUILD
        : failures.length > 100 || (sent >= REQUESTS_OF_A_LONG_RUN && Date.now() >= endsAt),
    add({ draft, who, round }: Asked & { round: number }, { status, fault, ms }: Verdict): void {
      sent += 1;
      statuses[status] = (statuses[status] ?? 0) + 1;
      seconds.set(draft.operation, (seconds.get(draft.operation) ?? 0) + ms / 1_000);
      if (sent % 10_000 === 0) report('generated requests so far', { sent, failures: failures.length });
      if (fault === undefined) return;
      const { method, path, body, headers, fault: spoilt } = draft;
      const request = JSON.stringify({ method, path, body, headers, spoilt }).slice(0, 500);
      failures.push(`${status} ${fault} <- ${who} in round ${round}: ${request}`);
    },
    report(): void {
      report('generated requests', { seed, sent, failures: failures.length, statuses });
      const slowest = [...seconds].toSorted(([, a], [, b]) => b - a).slice(0, 4);
      report(
        'seconds of the slowest operations',
        slowest.map(([name, spent]) => `${name} ${spent.toFixed()}`).join(),
      );
    },
  };
}

it(
  'generated requests get published answers: no 5xx, no stack trace, a Request-Id on each (X11)',
  async () => {
    const tally = openTally();
    const requests = generateRequests();
    const endsAt = Date.now() + (minutes ?? 0) * 60_000;
    const work = async (): Promise<void> => {
      while (!tally.isDone(endsAt)) {
        const { value: asked } = requests.next() as { value: Asked & { round: number } };
        tally.add(asked, await judge(asked));
      }
    };
    await Promise.all(Array.from({ length: TOGETHER }, work));
    tally.report();
    expect({ seed, failures: tally.failures.slice(0, 10) }).toEqual({ seed, failures: [] });
  },
  patienceMs,
);
