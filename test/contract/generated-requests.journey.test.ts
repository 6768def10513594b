import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openApi } from '@gp/reference';
import type { ApiContract } from '@gp/testing';
import { apiContract } from '../support/api-contract.ts';
import { openEndpoint, type Endpoint } from '../support/endpoint.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { CALLERS, openCast, type Caller, type Cast } from './cast.ts';
import { describedIn, type Described, type Draft } from './requests.ts';

/** How often each operation is asked. */
const REQUESTS = Number(process.env['GP_CONTRACT_REQUESTS'] ?? 48);
/** A build always asks the same: what another seed finds is found by whoever looks for it. */
const SEED = Number(process.env['GP_CONTRACT_SEED'] ?? 1);
/** Sent side by side, so that they also disturb one another. */
const TOGETHER = 6;
const PATIENCE_MS = 35_000;
/** Whose turn it is: the owner's mostly, or little would ever succeed. */
const TURNS: readonly Caller[] = ['owner', ...CALLERS, 'owner', 'session token', 'owner', 'owner', 'owner'];
const LIMITS = ['limit', 'remaining', 'reset'].map((name) => `ratelimit-${name}`);

type Asked = { readonly draft: Draft; readonly operation: Described; readonly who: Caller };
type Answer = { readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> };

let shared: SharedStack;
let endpoint: Endpoint;
let cast: Cast;
let published: ApiContract;

beforeAll(async () => {
  shared = await openSharedStack();
  endpoint = await openEndpoint();
  cast = await openCast(shared.stack, endpoint);
  published = await apiContract();
}, 180_000);
afterAll(async () => {
  await endpoint?.close();
  await shared?.close();
});

/** Sends a request; rejects for an answer that the document does not declare, and when there is none in time. */
async function ask({ draft, who }: Asked): Promise<Answer & { path: string }> {
  const { method, operation, pick } = draft;
  const [path, body] = [draft.path, draft.body ?? ''].map((text) => cast.filled(text, operation, pick));
  const key = cast.credentials[who];
  const response = await fetch(`${shared.stack.api}${path}`, {
    method,
    headers: { ...draft.headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    ...(draft.body !== undefined && body !== '' && { body }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const answer = { status: response.status, headers: response.headers, body: await response.json() };
  const headers = Object.fromEntries(answer.headers);
  const request = answer.status < 300 && body ? { request: JSON.parse(body) as unknown } : {};
  published.assertExchange({ method, path: path ?? '', ...request, ...answer, headers });
  return { ...answer, path: path ?? '' } as Answer & { path: string };
}

/** What is wrong with an answer that is declared; undefined for a good one. */
function findFault({ draft, operation, who }: Asked, answer: Answer & { path: string }): string | undefined {
  const { status, headers, body } = answer;
  if (status >= 500) return 'is a failure of ours';
  if (/node_modules|\.ts:\d|\n\s+at /.test(JSON.stringify(body))) return 'tells of our insides';
  // What cannot be read is refused before anybody is asked who he is.
  if (body['code'] === 'malformed_request') return draft.fault === 'path' ? undefined : 'could be read';
  if (who === 'nobody' || who === 'junk') return status === 401 ? undefined : 'was given to a stranger';
  const isToken = who.endsWith('token');
  if (isToken && !operation.accepts.includes('sessionToken'))
    return status === 403 ? undefined : 'was given to a token that does not open it';
  if (![401, 403].includes(status) && LIMITS.some((name) => !headers.has(name)))
    return 'does not tell the limits';
  if (status < 400 && !isForCaller(who, answer.path)) return 'is about what belongs to somebody else';
  // To a secret key the group in the path of a confirm is routing only (A10).
  const isRouted = draft.fault === 'path' && operation.id === 'confirmPayment' && who === 'owner';
  if (status < 400 && draft.fault !== undefined && !isRouted)
    return `was given although the ${draft.fault} is wrong`;
  const isJudged = who === 'owner' && (draft.fault === 'body' || draft.fault === 'query');
  return isJudged && ![400, 413, 415].includes(status) ? 'does not say what is wrong' : undefined;
}

function isForCaller(who: Caller, path: string): boolean {
  if (who === 'owner') return true;
  if (who === 'session token') return path.includes(cast.tokenGroup);
  return who === 'reading token' ? false : !/[0-9a-f]{8}-[0-9a-f]{4}/.test(path.split('?')[0] ?? '');
}

/** Requests of an operation by the owner, of one kind. */
function generateRequests(
  operation: Described,
  isOfKind: (draft: Draft) => boolean,
  numRuns: number,
): Asked[] {
  const drafts = fc.sample(operation.draft.filter(isOfKind), { numRuns, seed: SEED });
  return drafts.map((draft) => ({ operation, draft, who: 'owner' }));
}

it('whatever is asked of any operation, by whomever, is answered as published: never a 5xx, never silence', async () => {
  const operations = describedIn(await openApi());
  const drafts = operations.map(({ draft }) => fc.sample(draft, { numRuns: REQUESTS, seed: SEED }));
  const all = Array.from({ length: REQUESTS }, (_, turn) =>
    operations.map((operation, index): Asked => ({
      operation,
      draft: drafts[index]?.[turn] as Draft,
      who: TURNS[(turn + index) % TURNS.length] as Caller,
    })),
  );
  // Chance leaves some operation without a wrong request: the owner asks one of each.
  const misled = operations
    .filter(({ template }) => template.includes('{'))
    .flatMap((operation) => generateRequests(operation, ({ fault }) => fault === 'path', 2));
  const failures: string[] = [];
  const succeeded = new Set<string>();
  const refused = new Set<string>();
  const work = async (waiting: Iterable<Asked>): Promise<void> => {
    for (const asked of waiting) {
      const { draft, who } = asked;
      const fault = await ask(asked).then(
        (answer) => {
          if (who === 'owner') (answer.status < 300 ? succeeded : refused).add(draft.operation);
          if (who === 'owner' && answer.status < 300) cast.collect(draft.operation, answer.body);
          const wrong = findFault(asked, answer);
          return wrong && `${answer.status} ${wrong}: ${JSON.stringify(answer.body).slice(0, 300)}`;
        },
        (error: unknown) => String(error).slice(0, 500),
      );
      const { fault: spoilt, method, path, body, headers } = draft;
      if (fault !== undefined)
        failures.push(
          `${fault} <- ${who}: ${JSON.stringify({ method, path, body, headers, spoilt }).slice(0, 500)}`,
        );
    }
  };
  const waiting = [...misled, ...all.flat()].values();
  await Promise.all(Array.from({ length: TOGETHER }, () => work(waiting)));
  // A request that fits its schema need not add up: more right ones of an operation that never succeeded.
  for (const operation of operations)
    for (const right of generateRequests(operation, ({ fault }) => fault === undefined, 100))
      if (!succeeded.has(operation.id)) await work([right]);
  expect({ seed: SEED, failures: failures.slice(0, 10) }).toEqual({ seed: SEED, failures: [] });
  const names = operations.map(({ id }) => id);
  expect({ seed: SEED, never: names.filter((id) => !succeeded.has(id)) }).toEqual({ seed: SEED, never: [] });
  // What takes neither a body nor a query nor an id has nothing to refuse.
  const open = operations.filter(({ id, template }) => !refused.has(id) && template.includes('{'));
  expect(open.map(({ id }) => id)).toEqual([]);
}, 600_000);
