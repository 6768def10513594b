import { randomInt } from 'node:crypto';
import { credentialFields } from '@gp/gateway';
import type {
  GatewayAccount,
  Answer,
  Call,
  CredentialShape,
  CredentialsVerdict,
  Payment,
  PaymentGateway,
  PaymentOrder,
  PrepareAnswer,
  QueryAnswer,
} from '@gp/gateway';
import { manifest } from '../manifest.ts';
import type { Config } from './config.ts';
import { amountRule } from './domain/amounts.ts';
import { orderNumber } from './domain/order-number.ts';
import { classifyError, noRefunds, TYPES } from './domain/outcome.ts';
import { mapLookUpReply, mapOperationReply, mapTransportError, findErrorCode } from './provider/answers.ts';
import { verifyCallback, verifyReturn } from './provider/callback.ts';
import { openTerminal, parseSignatureVersion, type Terminal } from './provider/client.ts';
import type { Credentials } from './provider/credentials.ts';
import { sign, SIGNATURE_VERSIONS } from './provider/signature.ts';
import { buildOrderFields, buildOperation, buildOrderForm } from './provider/wire.ts';

/**
 * Keys that the vendor prints in its manuals for public tests: they protect nothing, and live mode refuses them.
 */
const PUBLISHED_KEYS = ['sq7HjrUOBfKmC576ILgskD5srU870gJ7', 'Mk9m98IfEblmPfrpsawt7BmxObt98Jev'];

export const credentials: CredentialShape<Credentials> = {
  ...credentialFields(manifest),
  account: 'merchant_code',
  callbackSecret: 'secret_key',
  // Orders belong to a terminal; 1 and 001 are the same terminal.
  isSameAccount: (a, b) => Number(a.terminal) === Number(b.terminal),
  refuse({ merchant_code, terminal, secret_key, return_url, signature_version }, mode) {
    if (!/^\d{9}$/.test(merchant_code)) return { param: 'merchant_code', reason: 'must be 9 digits' };
    if (!/^\d{1,3}$/.test(terminal)) return { param: 'terminal', reason: 'must be 1 to 3 digits' };
    if (!/^[A-Za-z0-9+/]{32}$/.test(secret_key))
      return { param: 'secret_key', reason: 'must be 32 characters of base64' };
    if (mode === 'live' && PUBLISHED_KEYS.includes(secret_key))
      return { param: 'secret_key', reason: 'is not a key for live mode' };
    if (signature_version !== '' && !SIGNATURE_VERSIONS.some((known) => known === signature_version))
      return { param: 'signature_version', reason: `must be one of ${SIGNATURE_VERSIONS.join(', ')}` };
    if (return_url !== '' && !isReturnAddress(return_url, mode))
      return { param: 'return_url', reason: 'must be an https address' };
    return undefined;
  },
};

/**
 * Returns whether payers may return to an address. In test mode it may be a shop on the merchant's own machine.
 */
function isReturnAddress(address: string, mode: 'test' | 'live'): boolean {
  const url = URL.parse(address.replaceAll('{id}', 'id'));
  if (url?.protocol === 'https:') return true;
  return mode === 'test' && url?.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname);
}

/** gateway_c: the payer authorises on the bank's own page, which our signed form opens. */
export function redsys(config: Config): PaymentGateway<Credentials> {
  const terminal = openTerminal({ test: config.gatewayTestUrl, live: config.gatewayLiveUrl });
  const publicUrl = (config.publicUrl ?? `http://127.0.0.1:${config.port}`).replace(/\/$/, '');
  return {
    psp: manifest.code,
    credentials,
    amountRule,
    newReference: () => orderNumber((below) => randomInt(below)),
    prepare: (order, account) => Promise.resolve(prepare(terminal, order, account, publicUrl)),
    capture: (payment, account, call) => operate(terminal, payment, account, call, TYPES.confirm),
    void: (payment, account, call) => operate(terminal, payment, account, call, TYPES.cancel),
    refund: () => Promise.resolve({ kind: 'declined', failure: noRefunds }),
    query: (payment, account, call) => query(terminal, payment, account, call),
    verify: (account, call) => verify(terminal, account, call),
    verifyCallback,
    browserReturn: {
      verify: verifyReturn,
      findReturnAddress: ({ return_url }) => (return_url === '' ? undefined : return_url),
    },
  };
}

/** Sends nothing: the bank receives the order when the payer's browser posts the form. */
function prepare(
  terminal: Terminal,
  order: PaymentOrder,
  { mode, credentials: own }: GatewayAccount<Credentials>,
  publicUrl: string,
): PrepareAnswer {
  const { attemptId, pspReference } = order;
  if (attemptId === null || pspReference === null) throw new Error('an order needs its number');
  const addresses = {
    notify: `${publicUrl}/callbacks/gateway_c`,
    back: `${publicUrl}/returns/gateway_c/${attemptId}`,
  };
  const parameters = buildOrderForm({ ...order, attemptId, pspReference }, own, addresses);
  const body = sign(parseSignatureVersion(own), own.secret_key, pspReference, parameters);
  return {
    kind: 'prepared',
    pspReference,
    client: { gateway_c_form: { url: terminal.formAddress(mode), body } },
  };
}

async function operate(
  terminal: Terminal,
  payment: Payment,
  account: GatewayAccount<Credentials>,
  call: Call,
  type: '2' | '9',
): Promise<Answer> {
  const order = requireOrderNumber(payment);
  try {
    const parameters = buildOperation(payment, order, account.credentials, type);
    return mapOperationReply(await terminal.operate(parameters, account, call), type, { account, order });
  } catch (error) {
    return mapTransportError(error);
  }
}

async function query(
  terminal: Terminal,
  payment: Payment,
  account: GatewayAccount<Credentials>,
  call: Call,
): Promise<QueryAnswer> {
  const order = requireOrderNumber(payment);
  try {
    const reply = await terminal.lookUp(buildOrderFields(account.credentials, order), account, call);
    return mapLookUpReply(reply, { account, order }, new Date());
  } catch (error) {
    return mapTransportError(error);
  }
}

const NOT_ACCEPTED = 'is not accepted by the gateway for this merchant code and terminal';

/**
 * Any look-up is signed with the key, and shows whether it belongs to the merchant code and the terminal; this one finds
 * nothing. The same key signs callbacks.
 */
async function verify(
  terminal: Terminal,
  account: GatewayAccount<Credentials>,
  call: Call,
): Promise<CredentialsVerdict<Credentials>> {
  try {
    const reply = await terminal.lookUp(buildOrderFields(account.credentials, '0000check'), account, call);
    const code = findErrorCode(reply);
    if (code !== undefined && classifyError(code) === 'misconfigured')
      return { kind: 'invalid', param: 'secret_key', reason: NOT_ACCEPTED };
    return { kind: code !== undefined && classifyError(code) === 'absent' ? 'valid' : 'unknown' };
  } catch {
    return { kind: 'unknown' };
  }
}

function requireOrderNumber({ pspReference }: Payment): string {
  if (pspReference === null) throw new Error('this operation needs the order number');
  return pspReference;
}
