import { currencies } from '@gp/money';
import type { Action } from '@gp/psp-sandbox/kit';
import type { PaymentC } from './payment.ts';

const clock = new Intl.DateTimeFormat('es-ES', {
  timeZone: 'Europe/Madrid',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
});

/** Returns Spanish local time in whole minutes, as the gateway states all times. */
export function formatOperationTime(at: Date): { Ds_Date: string; Ds_Hour: string } {
  const part = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    Ds_Date: `${part['day']}/${part['month']}/${part['year']}`,
    Ds_Hour: `${part['hour']}:${part['minute']}`,
  };
}

const BRANDS: Readonly<Record<string, string>> = { visa: '1', mastercard: '2', amex: '8' };

export const findCurrencyNumber = (currency: string): string =>
  currencies.find(({ code }) => code === currency)?.numeric ?? currency;

export type Result = {
  readonly type: string;
  readonly amountMinor: bigint;
  readonly response: string;
};

/** Returns the fields of every answer: the order, the terminal, and the result of the operation. */
export function buildResultParameters(
  p: PaymentC,
  { type, amountMinor, response }: Result,
): Record<string, string> {
  return {
    Ds_Amount: String(amountMinor),
    Ds_Currency: findCurrencyNumber(p.currency),
    Ds_Order: p.pspReference,
    Ds_MerchantCode: p.account,
    Ds_Terminal: p.details.terminal.padStart(3, '0'),
    Ds_Response: response,
    Ds_AuthorisationCode: p.details.authCode ?? '',
    Ds_TransactionType: type,
    Ds_SecurePayment: p.details.challenge ? '1' : '0',
    Ds_MerchantData: p.details.merchantData,
    Ds_Card_Country: '724',
    Ds_Card_Brand: BRANDS[p.details.card?.brand ?? ''] ?? '',
    Ds_ConsumerLanguage: '1',
    Ds_ProcessedPayMethod: '1',
  };
}

const TYPES: Readonly<Record<Action['type'], string>> = {
  authorise: '1',
  capture: '2',
  refund: '3',
  void: '9',
};
const DONE: Readonly<Record<Action['type'], string>> = {
  authorise: '0000',
  capture: '0900',
  refund: '0900',
  void: '0400',
};

export const toTransactionType = (step: Action['type']): string => TYPES[step];
export const toDoneResponse = (step: Action['type']): string => DONE[step];

/** Returns all operations on an order, oldest first, as a look-up lists them. */
export function buildOperations(p: PaymentC, actions: readonly Action[]): Record<string, string>[] {
  const { response, challenge, answeredAt } = p.details;
  const held = p.authorisedMinor > 0n ? p.authorisedMinor : p.amountMinor;
  const authorisation = {
    Ds_TransactionType: '1',
    Ds_Amount: String(held),
    Ds_Currency: findCurrencyNumber(p.currency),
    Ds_State: response === null ? (challenge ? 'A' : 'S') : 'F',
    ...(response !== null && { Ds_Response: response }),
    ...formatOperationTime(answeredAt === null ? p.createdAt : new Date(answeredAt)),
  };
  const steps = actions
    .filter(({ status }) => status === 'succeeded')
    .map(({ type, amountMinor, createdAt }) => ({
      Ds_TransactionType: TYPES[type],
      Ds_Amount: String(amountMinor),
      Ds_Currency: findCurrencyNumber(p.currency),
      Ds_State: 'F',
      Ds_Response: DONE[type],
      ...formatOperationTime(createdAt),
    }));
  return [authorisation, ...steps];
}
