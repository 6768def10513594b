import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { call } from './call.ts';
import { PAID_OVER } from './paid-over.ts';

export type Where = { readonly api: string; readonly dashboard: string };

/** A merchant that has just signed up: how to sign in at the dashboard, and a key for test mode. */
export type OpenedMerchant = {
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
};

const WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 200;

/**
 * Signs a merchant up at a dashboard that shows its mail and has a sandbox, as a person would, and activates in
 * test mode the gateway with which an installation is tested. Resolves when the API knows the key; throws the
 * first unexpected response.
 */
export async function openMerchant({ dashboard, api: publicApi }: Where): Promise<OpenedMerchant> {
  const api = `${dashboard}/api`;
  const email = `demo-${randomBytes(4).toString('hex')}@merchants.example`;
  const password = randomBytes(12).toString('base64url');
  await call('POST', `${api}/signup`, { merchant_name: 'Demo', email, password });
  const token = await mailedToken(api, email);
  const { cookie } = await call('POST', `${api}/signup/confirm`, { token });
  await call('POST', `${api}/test/sandbox-account`, { psp_code: PAID_OVER }, { cookie });
  await call('PUT', `${api}/gateways/active`, { mode: 'test', psp_code: PAID_OVER }, { cookie });
  const made = await call<{ key: string }>('POST', `${api}/keys`, { mode: 'test', name: 'demo' }, { cookie });
  const apiKey = made.body.key;
  await keyIsKnown(publicApi, apiKey);
  return { email, password, apiKey };
}

async function mailedToken(api: string, email: string): Promise<string> {
  const mailbox = `${api}/mailbox?to=${encodeURIComponent(email)}`;
  return until(`no mail came to ${email}`, async () => {
    const { mails } = (await call<{ mails: readonly { text: string }[] }>('GET', mailbox)).body;
    return /#token=([\w-]+)/.exec(mails[0]?.text ?? '')?.[1];
  });
}

/** Waits until the API knows the key: it receives keys on the bus, a moment after the dashboard has shown them. */
async function keyIsKnown(api: string, apiKey: string): Promise<void> {
  const request = { headers: { authorization: `Bearer ${apiKey}` } };
  await until('the API does not know the new key', async () => {
    const { status } = await fetch(`${api}/v1/group-payments?limit=1`, request);
    return status === 401 ? undefined : status;
  });
}

async function until<T>(otherwise: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const giveUpAt = Date.now() + WITHIN_MS; ; await delay(LOOK_EVERY_MS)) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (Date.now() > giveUpAt) throw new Error(otherwise);
  }
}
