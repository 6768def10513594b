import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEndpoint, type Endpoint } from '../../support/endpoint.ts';
import { openSharedStack, type SharedStack } from '../../support/shared-stack.ts';
import { root } from '../../support/stack.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { askCheckout, askOperation, operations, type Request } from './asks.ts';
import { openCallers, type Caller } from './callers.ts';
import { askDesk } from './desk-asks.ts';
import { findFaults, type Reply, type Sight } from './judge.ts';
import { readWhatIsMine } from './mine.ts';
import { openSeats, type Seat } from './seats.ts';
import { forEachMode, readExpectations, withoutVariant, type Expectations } from './table.ts';
import { openWorld, type World } from './world.ts';

let shared: SharedStack;
let endpoint: Endpoint;
let world: World;
let callers: ReadonlyMap<string, Caller>;
let seats: ReadonlyMap<string, Seat>;

beforeAll(async () => {
  shared = await openSharedStack();
  endpoint = await openEndpoint();
  world = await openWorld(shared.stack, endpoint.url);
  callers = await openCallers(world);
  seats = await openSeats(world, callers);
}, 240_000);
afterAll(async () => {
  await endpoint?.close();
  await shared?.close();
});

async function request(base: string, { method, path, body, headers }: Request, own: object): Promise<Reply> {
  const response = await fetch(base + path, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...own, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(40_000),
  });
  const { status } = response;
  return { status, requestId: response.headers.get('request-id'), text: await response.text() };
}

type Cell = { readonly row: string; readonly who: string; readonly wanted: string };

/** One table: its rows must be these routes, its columns these credentials. */
type Matrix = {
  readonly expectations: Expectations;
  readonly ask: (cell: Cell) => Promise<Reply>;
  readonly see: (cell: Cell) => Sight | undefined;
};

/** Asks every cell of one kind and returns those whose answer is another one, or shows what it must not. */
async function findSurprises(matrix: Matrix, isOfKind: (wanted: string) => boolean): Promise<string[]> {
  const surprises: string[] = [];
  for (const [row, cells] of matrix.expectations) {
    const asked = [...cells].filter(([, wanted]) => isOfKind(wanted));
    const judge = async ([who, wanted]: [string, string]): Promise<void> => {
      const cell = { row, who, wanted };
      const reply = await matrix.ask(cell);
      const sight = matrix.see(cell);
      const faults = sight ? findFaults(world, sight, reply) : [];
      if (String(reply.status) !== wanted)
        faults.unshift(`${reply.status} instead of ${wanted}: ${reply.text.slice(0, 160)}`);
      surprises.push(...faults.map((fault) => `${row} <- ${who}: ${fault}`));
    };
    // Requests that succeed may disturb each other.
    if (isRefusal(asked[0]?.[1] ?? '')) await Promise.all(asked.map(judge));
    else for (const cell of asked) await judge(cell);
  }
  return surprises;
}

const isRefusal = (wanted: string): boolean => Number(wanted) >= 400;

function describeMatrix(title: string, open: () => Promise<Matrix>): void {
  describe(title, () => {
    let matrix: Matrix;
    beforeAll(async () => void (matrix = await open()));

    it('each host refuses each credential as its table says, shows nothing and changes nothing (X10, S9)', async () => {
      const before = await readWhatIsMine(world);
      expect(await findSurprises(matrix, isRefusal)).toEqual([]);
      expect(await readWhatIsMine(world)).toEqual(before);
    }, 600_000);

    it('each host admits each credential as its table says, and shows what belongs to it only (X10, S9)', async () => {
      expect(await findSurprises(matrix, (wanted) => !isRefusal(wanted))).toEqual([]);
    }, 600_000);
  });
}

const routesOf = async (service: string): Promise<string[]> =>
  JSON.parse(await readFile(join(root, 'services', service, 'routes.json'), 'utf8')) as string[];

describe('the tables', () => {
  it.each([
    ['public-api', async () => [...operations.keys()], () => callers],
    ['checkout', () => routesOf('checkout'), () => callers],
    ['dashboard', () => routesOf('merchant-dashboard'), () => seats],
  ] as const)(
    '%s has a row for every route and a column for every credential (X10)',
    async (name, list, columns) => {
      const expectations = forEachMode(await readExpectations(name));
      const rows = new Set([...expectations.keys()].map(withoutVariant));
      expect([...rows].toSorted()).toEqual((await list()).toSorted());
      for (const cells of expectations.values()) expect([...cells.keys()]).toEqual([...columns().keys()]);
    },
  );
});

/** Columns of callers whose payer sees a group only. */
const PAYERS = ['token', 'limited', 'reading', 'beside', 'foreign'];
const LIVE = ['live key', 'other live'];

function seeAsCaller({ who }: Cell): Sight {
  const house = /^(other|foreign)/.test(who) ? 'theirs' : 'mine';
  const isKnown = ![
    'nobody',
    'junk',
    'operator',
    'login',
    'ended',
    'withdrawn',
    'expired',
    'revoked',
    'leaver',
    'network',
  ].includes(who);
  return {
    house: isKnown ? house : undefined,
    modes: [LIVE.includes(who) ? 'live' : 'test'],
    isPayer: PAYERS.includes(who),
  };
}

describeMatrix('the public API', async () => ({
  expectations: await readExpectations('public-api'),
  async ask({ row, who, wanted }) {
    const caller = callers.get(who) as Caller;
    const asked = await askOperation(world, row, { caller, isExpectedToSucceed: !isRefusal(wanted) });
    return request(world.stack.api, asked, caller.headers);
  },
  see: seeAsCaller,
}));

describeMatrix('checkout', async () => ({
  expectations: await readExpectations('checkout'),
  async ask({ row, who }) {
    const caller = callers.get(who) as Caller;
    return request(world.stack.checkout, askCheckout(world, row, caller), caller.headers);
  },
  // The link in the path is a credential as well: its holder sees what a payer sees.
  see: (cell) =>
    cell.row.includes(':page_token')
      ? { house: 'mine', modes: ['test'], isPayer: true }
      : { ...seeAsCaller(cell), isPayer: true },
}));

describeMatrix('the dashboard', async () => ({
  expectations: forEachMode(await readExpectations('dashboard')),
  async ask({ row, who, wanted }) {
    const seat = seats.get(who) as Seat;
    const isExpectedToSucceed = !isRefusal(wanted);
    const asked = await askDesk(row, { world, person: seat.person, isExpectedToSucceed });
    const headers = row === 'POST /api/logout' ? await seat.again() : seat.headers;
    return request(world.stack.dashboard, asked, headers);
  },
  see: ({ row, who }) => {
    // The mailbox of a trial stack is for everybody; there is none where mail is sent.
    if (row.endsWith('/mailbox')) return undefined;
    const isLive = row.includes('/live/') || row.endsWith('· live');
    const isOfMode = isLive || row.includes('/test/') || row.endsWith('· test');
    const house = seats.get(who)?.house;
    const isOwnRecord = row.startsWith('GET /api/audit');
    return { house, modes: isOfMode ? [isLive ? 'live' : 'test'] : ['test', 'live'], isOwnRecord };
  },
}));
