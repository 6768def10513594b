import { eventually } from '@gp/testing';
import type { Group, Json } from '../../support/api.ts';
import { beforeExpiry, inSeconds, newGroup as newBill, openApi } from '../../support/journey.ts';
import { openRequests } from '../../support/requests.ts';
import { openSigner } from '../../support/signing.ts';
import { expectStatus, type Person } from './people.ts';
import { newGroup } from './things.ts';
import { ana, type World } from './world.ts';

/** A credential of the public API, and the group that it belongs to, if any. */
export type Caller = { readonly headers: Readonly<Record<string, string>>; readonly group?: Group };

const SCOPES = ['read', 'payments', 'refunds', 'webhooks', 'logs', 'test_clock'] as const;

/** Makes one of every credential that may be sent to the API or to checkout; the tables explain each. */
export async function openCallers(world: World): Promise<ReadonlyMap<string, Caller>> {
  const { mine, theirs, stack } = world;
  const keys = await makeKeys(world);
  const tokens = await makeTokens(world);
  const bearer = (credential: string): Caller => ({ headers: { authorization: `Bearer ${credential}` } });
  const callers: Record<string, Caller> = {
    'test key': bearer(mine.merchant.test_key),
    'live key': bearer(mine.merchant.live_key),
    ...Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, bearer(key)])),
    'other test': bearer(theirs.merchant.test_key),
    'other live': bearer(theirs.merchant.live_key),
    ...Object.fromEntries(
      Object.entries(tokens).map(([name, { token, group }]) => [
        name,
        { ...bearer(token), ...(group && { group }) },
      ]),
    ),
    login: { headers: { cookie: mine.owner.cookie } },
    operator: bearer(new URL(stack.postgres).password),
    junk: bearer('sk_test_junk'),
    nobody: { headers: {} },
  };
  return new Map(Object.entries(callers));
}

/** Makes restricted, expired and revoked keys. Resolves when the API knows all of them. */
async function makeKeys({ dashboard, mine, stack }: World): Promise<Record<string, string>> {
  const make = async (who: Person, restriction: object): Promise<{ id: string; key: string }> => {
    const wanted = { mode: 'test', name: 'matrix', ...restriction };
    return expectStatus(await dashboard.ask(who, 'POST', '/api/keys', wanted), 201).body as {
      id: string;
      key: string;
    };
  };
  const status = async (key: string) => (await openRequests(stack.api, key).get('/v1/events')).status;
  const becomes = (key: string, wanted: readonly number[]) =>
    eventually(async () => wanted.includes(await status(key)) || undefined);

  const keys: Record<string, string> = {};
  for (const scope of SCOPES) keys[scope] = (await make(mine.owner, { scopes: [scope] })).key;
  keys['network'] = (await make(mine.owner, { allowed_addresses: ['203.0.113.0/24'] })).key;
  for (const key of Object.values(keys)) await becomes(key, [200, 403]);
  const revoked = await make(mine.owner, {});
  const leaver = await dashboard.addMember(mine.owner, 'admin');
  const left = await make(leaver, {});
  const expired = await make(mine.owner, { expires_at: inSeconds(3) });
  for (const { key } of [revoked, left]) await becomes(key, [200]);
  expectStatus(await dashboard.ask(mine.owner, 'DELETE', `/api/keys/${revoked.id}`), 200);
  await dashboard.removeMember(mine.owner, leaver);
  for (const { key } of [revoked, left, expired]) await becomes(key, [401]);
  // The API refuses an expired key at once; a moment later the dashboard shows that it has ended.
  await eventually(async () => {
    const { keys: shown } = (await dashboard.ask(mine.owner, 'GET', '/api/keys?mode=test')).body;
    return (shown as Json[]).find(({ id }) => id === expired.id)?.['revoked_at'] ?? undefined;
  });
  return { ...keys, expired: expired.key, revoked: revoked.key, leaver: left.key };
}

type Token = { readonly token: string; readonly group?: Group };

/** Session tokens of the group, of groups beside it, and of the other merchant. */
async function makeTokens(world: World): Promise<Record<string, Token>> {
  const { mine, theirs, stack, dashboard, beside } = world;
  const server = openRequests(stack.api, mine.merchant.test_key);
  const mint = async (by: typeof server, { group_payment }: Group, body: object = {}): Promise<string> =>
    String(
      expectStatus(await by.post(`/v1/group-payments/${group_payment.id}/session`, body), 201).body['token'],
    );

  const api = openApi(stack, mine.merchant);
  const over = await beforeExpiry(2, (expires_at) => newBill(api, 1, { expires_at }));
  const taken = await newGroup(server, 'Casa taken back');
  const withdrawn = await mint(server, taken);
  const revoke = `/api/group-payments/${taken.group_payment.id}/revoke-sessions`;
  expectStatus(await dashboard.ask(mine.owner, 'POST', revoke, { mode: 'test' }), 200);
  await api.becomes(over.group_payment.id, ['expired']);
  const their = openRequests(stack.api, theirs.merchant.test_key);
  const tokens = {
    token: { token: await mint(server, mine.test.group) },
    limited: { token: await mint(server, mine.test.group, { customer_email: ana.email }) },
    reading: { token: await mint(server, over), group: over },
    ended: { token: await signEnded(world) },
    withdrawn: { token: withdrawn, group: taken },
    beside: { token: await mint(server, beside) },
    foreign: { token: await mint(their, theirs.test.group) },
  };
  const browser = openRequests(stack.api, withdrawn);
  const path = `/v1/group-payments/${taken.group_payment.id}`;
  await eventually(async () => (await browser.get(path)).status === 401 || undefined);
  return tokens;
}

/** A token that is valid except for its end: the same token with a later end is accepted. */
async function signEnded({ stack, mine }: World): Promise<string> {
  const sign = await openSigner(stack);
  const gp = mine.test.group.group_payment.id;
  const claims = { mid: mine.merchant.merchant_id, gp, mode: 'test', epoch: 0, limited: false } as const;
  const scope: ('read' | 'pay' | 'confirm')[] = ['read', 'pay', 'confirm'];
  const living = openRequests(stack.api, sign({ ...claims, scope }, 600));
  await eventually(async () => (await living.get(`/v1/group-payments/${gp}`)).status === 200 || undefined);
  return sign({ ...claims, scope }, -1);
}
