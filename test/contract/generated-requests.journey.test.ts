import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openApi } from '@gp/reference';
import { apiContract } from '../support/api-contract.ts';
import { openEndpoint, type Endpoint } from '../support/endpoint.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { openAsker, type Asked, type Asker } from './asker.ts';
import { CALLERS, openCast, type Caller, type Cast } from './cast.ts';
import { describedIn, type Described, type Draft } from './requests.ts';

/** Number of requests for each operation. */
const REQUESTS = Number(process.env['GP_CONTRACT_REQUESTS'] ?? 48);
/** A build always sends the same requests; a run with another seed is started by hand. */
const SEED = Number(process.env['GP_CONTRACT_SEED'] ?? 1);
/** Sent side by side, so that they also disturb one another. */
const TOGETHER = 6;
/** The caller whose turn it is: mostly the owner, or few requests would ever succeed. */
const TURNS: readonly Caller[] = ['owner', ...CALLERS, 'owner', 'session token', 'owner', 'owner', 'owner'];

let shared: SharedStack;
let endpoint: Endpoint;
let cast: Cast;
let asker: Asker;

beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_a', 'gateway_b'] });
  endpoint = await openEndpoint();
  cast = await openCast(shared.stack, endpoint);
  asker = openAsker({ base: shared.stack.api, cast, published: await apiContract() });
}, 180_000);
afterAll(async () => {
  await endpoint?.close();
  await shared?.close();
});

/** Requests of an operation by the owner, of one kind. */
function generateRequests(
  operation: Described,
  isOfKind: (draft: Draft) => boolean,
  numRuns: number,
): Asked[] {
  const drafts = fc.sample(operation.draft.filter(isOfKind), { numRuns, seed: SEED });
  return drafts.map((draft) => ({ operation, draft, who: 'owner' }));
}

it('any request to any operation with any credential gets a published response: never a 5xx, never silence', async () => {
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
      const fault = await asker.ask(asked).then(
        (answer) => {
          if (who === 'owner') (answer.status < 300 ? succeeded : refused).add(draft.operation);
          if (who === 'owner' && answer.status < 300) cast.collect(draft.operation, answer.body);
          const wrong = asker.findFault(asked, answer);
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
  // An operation that takes neither a body nor a query nor an id has nothing to refuse.
  const open = operations.filter(({ id, template }) => !refused.has(id) && template.includes('{'));
  expect(open.map(({ id }) => id)).toEqual([]);
}, 600_000);
