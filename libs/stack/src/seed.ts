import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findManifest, pspCodes, type PspCode } from '@gp/gateway-registry';
import type { Ports } from './ports.ts';
import { requestJson } from './request-json.ts';
import { writePrivate } from './write-private.ts';

/** A demo merchant as `.data/stack.json` publishes it. */
export type DemoMerchant = {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly merchant_id: string;
  readonly test_key: string;
  readonly live_key: string;
  /** The active gateway in test mode, `multi` for several connected ones, null for none. */
  readonly gateway: string | null;
};

type Plan = { readonly name: string; readonly gateway: string | null; readonly connect: readonly PspCode[] };

/** Mail is written to a folder, and the API receives keys over the bus; a busy machine may need this long. */
const NEWS_WITHIN_MS = 60_000;
const POLL_MS = 50;

/** Returns `Demo A` for the gateway that people know as Gateway A. */
function buildDemoName(code: PspCode): string {
  return `Demo ${findManifest(code).title.replace('Gateway ', '')}`;
}

const plans: readonly Plan[] = [
  ...pspCodes.map((code) => ({ name: buildDemoName(code), gateway: code, connect: [code] })),
  // The last one stays active.
  { name: 'Demo Multi', gateway: 'multi', connect: pspCodes.toReversed() },
  { name: 'Demo None', gateway: null, connect: [] },
];

/**
 * Creates the demo merchants through the dashboard's own HTTP interface, as a person would, and connects them to
 * the sandbox. Merchants of an earlier start are kept: keys are shown once, so they are stored in
 * `merchants.json`. The sandbox then gets the addresses of their callbacks again, because an earlier start may have
 * had other ports. Resolves when the API has the new keys.
 */
export async function seedMerchants(ports: Ports, dataDir: string): Promise<DemoMerchant[]> {
  const file = join(dataDir, 'merchants.json');
  const known = await readKnown(file);
  for (const plan of plans) {
    const kept = known.find(({ name }) => name === plan.name);
    if (kept) {
      await Promise.all(plan.connect.map((psp) => sandboxAccount(ports, psp, kept)));
      continue;
    }
    const merchant = await seedOne(ports, plan);
    known.push(merchant);
    await writePrivate(file, known);
    await becomesUsable(ports, merchant);
  }
  return known;
}

/** Creates demo merchants with these gateways, which no file stores. Resolves when the API has their keys. */
export async function newMerchants(
  ports: Ports,
  gateways: readonly DemoMerchant['gateway'][],
): Promise<DemoMerchant[]> {
  const merchants = await Promise.all(gateways.map((gateway) => seedOne(ports, findPlan(gateway))));
  await Promise.all(merchants.map((merchant) => becomesUsable(ports, merchant)));
  return merchants;
}

function findPlan(gateway: DemoMerchant['gateway']): Plan {
  const plan = plans.find((each) => each.gateway === gateway);
  if (!plan) throw new Error(`no demo merchant has the gateway ${String(gateway)}`);
  return plan;
}

async function becomesUsable(ports: Ports, { test_key, live_key }: DemoMerchant): Promise<void> {
  for (const key of [test_key, live_key]) await becomesKnown(ports, key);
}

async function becomesKnown({ api }: Ports, key: string): Promise<void> {
  const init = { headers: { authorization: `Bearer ${key}` } };
  for (const until = Date.now() + NEWS_WITHIN_MS; ; await delay(POLL_MS)) {
    const answer = await fetch(`http://127.0.0.1:${api}/v1/group-payments?limit=1`, init);
    await answer.body?.cancel();
    if (answer.ok) return;
    if (Date.now() > until) throw new Error(`the API answers ${answer.status} to a new key`);
  }
}

async function seedOne(ports: Ports, plan: Plan): Promise<DemoMerchant> {
  const slug = plan.name.toLowerCase().replaceAll(' ', '-');
  // An interrupted start left this merchant without a password we know: a fresh address avoids it.
  const email = `${slug}-${randomBytes(3).toString('hex')}@merchants.example`;
  const password = randomBytes(12).toString('base64url');
  const dashboard = `http://127.0.0.1:${ports.dashboard}/api`;
  const signup = await signUp(dashboard, { merchant_name: plan.name, email, password });
  const session = { cookie: signup.cookie };
  const key = async (mode: string) =>
    String((await requestJson('POST', `${dashboard}/keys`, { mode, name: 'demo' }, session)).body['key']);
  const merchant: DemoMerchant = {
    name: plan.name,
    email,
    password,
    merchant_id: String(signup.body['merchant_id']),
    test_key: await key('test'),
    live_key: await key('live'),
    gateway: plan.gateway,
  };
  for (const psp of plan.connect) {
    const credentials = await sandboxAccount(ports, psp, merchant);
    await requestJson('POST', `${dashboard}/gateways`, { mode: 'test', psp_code: psp, credentials }, session);
    await requestJson('PUT', `${dashboard}/gateways/active`, { mode: 'test', psp_code: psp }, session);
  }
  return merchant;
}

/** Signs up and opens the link in the mail, which this stack stores in its mailbox. */
async function signUp(dashboard: string, person: { merchant_name: string; email: string; password: string }) {
  await requestJson('POST', `${dashboard}/signup`, person);
  const mailbox = `${dashboard}/mailbox?to=${encodeURIComponent(person.email)}`;
  for (const until = Date.now() + NEWS_WITHIN_MS; ; await delay(POLL_MS)) {
    const { mails } = (await requestJson('GET', mailbox)).body as { mails: { text: string }[] };
    const token = /#token=([\w-]+)/.exec(mails[0]?.text ?? '')?.[1];
    if (token !== undefined) return requestJson('POST', `${dashboard}/signup/confirm`, { token });
    if (Date.now() > until) throw new Error(`no mail came to ${person.email}`);
  }
}

/** Opens an account at the sandbox, or sends the open one's callbacks to where the adapter is now. */
async function sandboxAccount(
  ports: Ports,
  psp: PspCode,
  merchant: Pick<DemoMerchant, 'name' | 'merchant_id'>,
): Promise<unknown> {
  const { body } = await requestJson('POST', `http://127.0.0.1:${ports.sandbox}/control/${psp}/accounts`, {
    name: merchant.merchant_id,
    display_name: merchant.name,
    webhook_url: `http://127.0.0.1:${ports.callbacks[psp]}/callbacks/${psp}`,
  });
  return body;
}

async function readKnown(file: string): Promise<DemoMerchant[]> {
  const text = await readFile(file, 'utf8').catch(() => '[]');
  return JSON.parse(text) as DemoMerchant[];
}
