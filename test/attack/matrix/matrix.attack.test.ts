import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEndpoint, type Endpoint } from '../../support/endpoint.ts';
import { readText } from '../../support/read-text.ts';
import { openSharedStack, type SharedStack } from '../../support/shared-stack.ts';
import { root } from '../../support/stack.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildCheckoutRequest, buildApiRequest, operations, type Request } from './requests.ts';
import { openCallers, type Caller } from './callers.ts';
import { buildDashboardRequest } from './dashboard-requests.ts';
import { findFaults, type Reply, type Visibility } from './judge.ts';
import { readOwnData } from './own-data.ts';
import { openDashboardCredentials, type DashboardCredential } from './dashboard-credentials.ts';
import { forEachMode, readExpectations, withoutVariant, type Expectations } from './table.ts';
import { openWorld, type World } from './world.ts';

let shared: SharedStack;
let endpoint: Endpoint;
let world: World;
let callers: ReadonlyMap<string, Caller>;
let credentials: ReadonlyMap<string, DashboardCredential>;

beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_a', 'gateway_b'] });
  endpoint = await openEndpoint();
  world = await openWorld(shared.stack, endpoint.url);
  callers = await openCallers(world);
  credentials = await openDashboardCredentials(world, callers);
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
  return { status, requestId: response.headers.get('request-id'), text: await readText(response) };
}

type Cell = { readonly row: string; readonly who: string; readonly wanted: string };

/** One table: its rows must be these routes, its columns these credentials. */
type Matrix = {
  readonly expectations: Expectations;
  readonly ask: (cell: Cell) => Promise<Reply>;
  readonly findVisibility: (cell: Cell) => Visibility | undefined;
};

/** Sends the request of every cell of one kind; returns the cells with another status or with forbidden content. */
async function findDeviations(matrix: Matrix, isOfKind: (wanted: string) => boolean): Promise<string[]> {
  const deviations: string[] = [];
  for (const [row, cells] of matrix.expectations) {
    const asked = [...cells].filter(([, wanted]) => isOfKind(wanted));
    const judge = async ([who, wanted]: [string, string]): Promise<void> => {
      const cell = { row, who, wanted };
      const reply = await matrix.ask(cell);
      const visibility = matrix.findVisibility(cell);
      const faults = visibility ? findFaults(world, visibility, reply) : [];
      if (String(reply.status) !== wanted)
        faults.unshift(`${reply.status} instead of ${wanted}: ${reply.text.slice(0, 160)}`);
      deviations.push(...faults.map((fault) => `${row} <- ${who}: ${fault}`));
    };
    // Requests that succeed may disturb each other.
    if (isRefusal(asked[0]?.[1] ?? '')) await Promise.all(asked.map(judge));
    else for (const cell of asked) await judge(cell);
  }
  return deviations;
}

const isRefusal = (wanted: string): boolean => Number(wanted) >= 400;

function describeMatrix(title: string, open: () => Promise<Matrix>): void {
  describe(title, () => {
    let matrix: Matrix;
    beforeAll(async () => void (matrix = await open()));

    it('each host refuses each credential as its table says, shows nothing and changes nothing (X10, S9)', async () => {
      const before = await readOwnData(world);
      expect(await findDeviations(matrix, isRefusal)).toEqual([]);
      expect(await readOwnData(world)).toEqual(before);
    }, 600_000);

    it('each host admits each credential as its table says, and shows what belongs to it only (X10, S9)', async () => {
      expect(await findDeviations(matrix, (wanted) => !isRefusal(wanted))).toEqual([]);
    }, 600_000);
  });
}

const routesOf = async (service: string): Promise<string[]> =>
  JSON.parse(await readFile(join(root, 'services', service, 'routes.json'), 'utf8')) as string[];

describe('the tables', () => {
  it.each([
    ['public-api', async () => [...operations.keys()], () => callers],
    ['checkout', () => routesOf('checkout'), () => callers],
    ['dashboard', () => routesOf('merchant-dashboard'), () => credentials],
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

/** Columns of payers' tokens, which show a group only. */
const PAYERS = ['token', 'limited', 'reading', 'beside', 'foreign'];
const LIVE = ['live key', 'other live'];

function findCallerVisibility({ row, who }: Cell): Visibility {
  const merchant = /^(other|foreign)/.test(who) ? 'theirs' : 'mine';
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
    merchant: isKnown ? merchant : undefined,
    modes: [LIVE.includes(who) ? 'live' : 'test'],
    isPayer: PAYERS.includes(who),
    // A log of requests names what was asked for, the objects of another merchant included.
    isOwnRecord: row.startsWith('GET /v1/request-logs'),
  };
}

describeMatrix('the public API', async () => ({
  expectations: await readExpectations('public-api'),
  async ask({ row, who, wanted }) {
    const caller = callers.get(who) as Caller;
    const asked = await buildApiRequest(world, row, { caller, isExpectedToSucceed: !isRefusal(wanted) });
    return request(world.stack.api, asked, caller.headers);
  },
  findVisibility: findCallerVisibility,
}));

describeMatrix('checkout', async () => ({
  expectations: await readExpectations('checkout'),
  async ask({ row, who }) {
    const caller = callers.get(who) as Caller;
    return request(world.stack.checkout, buildCheckoutRequest(world, row, caller), caller.headers);
  },
  // The link in the path is a credential as well: its holder sees what a payer or an organiser sees.
  findVisibility: (cell) => {
    if (/:(page|organiser)_token/.test(cell.row))
      return {
        ...{ merchant: 'mine', modes: ['test'], isPayer: true },
        isOrganiser: cell.row.includes(':organiser_token'),
      };
    return { ...findCallerVisibility(cell), isPayer: true };
  },
}));

describeMatrix('the dashboard', async () => ({
  expectations: forEachMode(await readExpectations('dashboard')),
  async ask({ row, who, wanted }) {
    const credential = credentials.get(who) as DashboardCredential;
    const isExpectedToSucceed = !isRefusal(wanted);
    const asked = await buildDashboardRequest(row, { world, person: credential.person, isExpectedToSucceed });
    const headers = row === 'POST /api/logout' ? await credential.again() : credential.headers;
    return request(world.stack.dashboard, asked, headers);
  },
  findVisibility: ({ row, who }) => {
    // The mailbox of a trial stack is open to every client; an installation that sends mail has none.
    if (row.endsWith('/mailbox')) return undefined;
    const isLive = row.includes('/live/') || row.endsWith('· live');
    const isOfMode = isLive || row.includes('/test/') || row.endsWith('· test');
    const merchant = credentials.get(who)?.merchant;
    const isOwnRecord = /^GET \/api\/(?:audit|(?:test|live)\/requests)/.test(row);
    return { merchant, modes: isOfMode ? [isLive ? 'live' : 'test'] : ['test', 'live'], isOwnRecord };
  },
}));
