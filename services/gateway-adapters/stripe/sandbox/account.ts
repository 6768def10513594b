import type { HttpRequest } from '@gp/http';
import { type Account, type Accounts, type Form, newId, newSecret, readTextField } from '@gp/psp-sandbox/kit';
import { badRequest, forbidden, unauthenticated } from './errors.ts';

/** A merchant's connection in the format of the dashboard's form: every field is a text. */
export type Credentials = {
  account_id: string;
  secret_key: string;
  publishable_key: string;
  webhook_secret: string;
};

/** Creates a connected account with the keys that may act for it. */
export function newAccount(): Account & { authenticatesWith: readonly string[] } {
  const secretKey = newSecret('sk_sandbox_');
  return {
    gateway: 'gateway_a',
    account: newId('acct_'),
    publicIds: { publishable_key: newSecret('pk_sandbox_') },
    secrets: { secret_key: secretKey, webhook_secret: newSecret('whsec_') },
    authenticatesWith: [secretKey],
  };
}

export function listCredentials({ account, publicIds, secrets }: Account): Credentials {
  return {
    account_id: account,
    secret_key: secrets['secret_key'] ?? '',
    publishable_key: publicIds['publishable_key'] ?? '',
    webhook_secret: secrets['webhook_secret'] ?? '',
  };
}

/** The account whose objects a request may see, and whether it came with the browser's half of the keys. */
export type Caller = { readonly scope: string; readonly isBrowser: boolean };

/**
 * Authenticates by secret key (Bearer or Basic) or publishable key (also as `key`). Without an account header a
 * secret key acts for the platform, whose objects no connected account can see, and the other way round.
 */
export async function authenticate(accounts: Accounts, request: HttpRequest, form: Form): Promise<Caller> {
  const key = readBearerToken(request) ?? readTextField(form, 'key') ?? request.query.get('key') ?? undefined;
  if (key === undefined || key === '') throw unauthenticated('You did not provide an API key.');
  const isBrowser = key.startsWith('pk_');
  const account = isBrowser
    ? await accounts.findByPublicIds('gateway_a', { publishable_key: key })
    : await accounts.findBySecret('gateway_a', key);
  if (account === undefined) throw unauthenticated(`Invalid API Key provided: ${redacted(key)}`);
  const named = readAccountHeader(request, form);
  if (named === undefined) return { scope: `platform_${account.account}`, isBrowser };
  if (named !== account.account) {
    throw forbidden(
      'The provided key does not have access to that account (or it does not exist).',
      'account_invalid',
    );
  }
  return { scope: named, isBrowser };
}

function readBearerToken({ headers: { authorization = '' } }: HttpRequest): string | undefined {
  const [scheme = '', value = ''] = authorization.split(' ');
  if (/^bearer$/i.test(scheme)) return value;
  if (/^basic$/i.test(scheme)) return Buffer.from(value, 'base64').toString('utf8').split(':')[0];
  return undefined;
}

function readAccountHeader({ headers, query }: HttpRequest, form: Form): string | undefined {
  const named =
    headers['stripe-account'] ??
    headers['stripe-context'] ??
    readTextField(form, '_stripe_account') ??
    query.get('_stripe_account');
  if (Array.isArray(named)) throw badRequest('Only one account may be named.');
  return named || undefined;
}

/** Returns enough of a key to recognise it. */
const redacted = (key: string): string => `${key.slice(0, 7)}***${key.length > 16 ? key.slice(-4) : ''}`;
