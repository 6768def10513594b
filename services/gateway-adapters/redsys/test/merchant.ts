import { randomInt } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { createRedsysAPI } from 'redsys-easy';
import { call, type Sandbox, type Tester } from '@gp/psp-sandbox/test-kit';

export type CredentialsC = { merchant_code: string; terminal: string; secret_key: string };
type Api = ReturnType<typeof createRedsysAPI>;
type Operation = Parameters<Api['restTrataPeticion']>[0];

export type MerchantC = { readonly credentials: CredentialsC; readonly api: Api };

/** A merchant who speaks to the bank through a public client library, which signs and verifies on its own. */
export async function merchantC(sandbox: Sandbox, tester: Tester): Promise<MerchantC> {
  const credentials = (await tester.control('POST', 'gateway_c/accounts', {
    name: uuidv7(),
  })) as CredentialsC;
  const base = `${sandbox.url}/gateway_c/sis`;
  const urls = {
    redirect: `${base}/realizarPago`,
    restTrataPeticion: `${base}/rest/trataPeticionREST`,
    restIniciaPeticion: `${base}/rest/iniciaPeticionREST`,
  };
  return { credentials, api: createRedsysAPI({ secretKey: credentials.secret_key, urls }) };
}

export const newOrder = (): string => String(randomInt(10_000_000, 100_000_000)) + 'abcd';

/** The parameters of an order, or of an operation on one. */
export function buildParameters({ credentials }: MerchantC, order: string, type: string, more: object = {}) {
  return {
    DS_MERCHANT_MERCHANTCODE: credentials.merchant_code,
    DS_MERCHANT_TERMINAL: '1',
    DS_MERCHANT_ORDER: order,
    DS_MERCHANT_TRANSACTIONTYPE: type,
    DS_MERCHANT_AMOUNT: '1500',
    DS_MERCHANT_CURRENCY: '978',
    ...more,
  };
}

export const operate = (merchant: MerchantC, order: string, type: string, more: object = {}) =>
  merchant.api.restTrataPeticion(buildParameters(merchant, order, type, more) as Operation);

/** Brings an order form to the bank, as a browser does. */
export function openForm(merchant: MerchantC, order: string, more: object = {}) {
  const parameters = buildParameters(merchant, order, '1', more);
  const { url, body } = merchant.api.createRedirectForm(
    parameters as unknown as Parameters<Api['createRedirectForm']>[0],
  );
  return call('POST', url, { body: new URLSearchParams({ ...body }) });
}

export const findFormAction = (page: string): string =>
  /<form method="post" action="([^"]+)">/.exec(page)?.[1] ?? '';

export type CardForm = { number?: string; cvv?: string; button?: 'pay' | 'cancel'; year?: string };

/** Fills in the card page. */
export function submitCard(page: string, o: CardForm = {}) {
  const fields = {
    card_number: o.number ?? '4548810000000003',
    expiry_month: '12',
    expiry_year: o.year ?? '49',
    cvv: o.cvv ?? '123',
    [o.button ?? 'pay']: '1',
  };
  return call('POST', findFormAction(page), { body: new URLSearchParams(fields) });
}

/** An order that is paid at the bank. */
export async function paidOrder(merchant: MerchantC, more: object = {}): Promise<string> {
  const order = newOrder();
  await submitCard((await openForm(merchant, order, more)).text);
  return order;
}
