import type { Bus } from '@gp/bus';
import { confirmIntent, type ClientData } from '@gp/contracts';
import type { PspCode } from '@gp/gateway-registry';
import type { ConfirmingPayer, EmbeddedPayer, FormFields, GatewaySubject, RedirectPayer } from '@gp/testing';
import type { Sandbox } from './sandbox.ts';
import type { Ticket } from './ledger.ts';

export const GOOD_CARD = '4242424242424242';
export const POOR_CARD = '4000000000009995';
export const SECURED_CARD = '4000002760003184';

/**
 * Pays as a payer would, once, and never mind what comes back: a payer sees a spinner and then something. Returns
 * how to pass the bank's question when it asks one, and where the payer is awaited for it.
 */
export type Payer = (o: {
  sandbox: Sandbox;
  bus: Bus;
  ticket: Ticket;
  client: ClientData;
  card: string;
  /** Factor by which the payer's wait for an answer is longer than usual. */
  patience: number;
  /** The page to which a payer returns whose card our server authorises. */
  returnUrl?: string | undefined;
}) => Promise<{ error?: unknown; page?: string; authenticate?: () => Promise<unknown> }>;

/** Builds the payer of a gateway. */
export function buildPayer(psp: PspCode, payer: GatewaySubject['payer']): Payer {
  switch (payer.flow) {
    case 'embedded':
      return payEmbedded(payer);
    case 'server_confirm':
      return payByConfirm(psp, payer);
    case 'redirect':
      return payAtBank(payer);
  }
}

/** The browser speaks to the gateway. */
const payEmbedded =
  ({ buildConfirmation, findChallenge }: EmbeddedPayer): Payer =>
  async ({ sandbox, client, card, patience }) => {
    const { path, headers, fields } = buildConfirmation(client, card);
    try {
      const response = await fetch(sandbox.url + path, {
        method: 'POST',
        headers,
        body: new URLSearchParams(fields),
        signal: AbortSignal.timeout(1_500 * patience),
      });
      const url = findChallenge(await response.json());
      const body = new URLSearchParams({ result: 'authenticated' });
      return url === undefined ? {} : { authenticate: () => fetch(url, { method: 'POST', body }) };
    } catch (error) {
      return { error };
    }
  };

/** The card is encrypted in the browser and confirmed through the adapter. */
const payByConfirm =
  (psp: PspCode, { buildCard, buildEncryption }: ConfirmingPayer): Payer =>
  async ({ sandbox, bus, ticket, client, card, patience, returnUrl }) => {
    const { psp_reference: _unknownYet, ...payment } = ticket;
    const typed = { holder: 'Ada Lovelace', number: card };
    try {
      const confirmed = await bus.call(
        confirmIntent(psp),
        {
          ticket: {
            ...payment,
            seq: 1,
            merchant_order_id: 'order',
            ...(returnUrl && { return_url: returnUrl }),
          },
          card: await buildCard(typed, (value) => sandbox.encrypt(buildEncryption(client, value))),
        },
        // The adapter keeps two seconds of it to report the result.
        { timeoutMs: 2_000 + 1_500 * patience },
      );
      if (confirmed.status === 'preauthorised') return {};
      const { url } = confirmed.next_action;
      return { page: url, authenticate: () => answerBank(url, 'authenticated') };
    } catch (error) {
      return { error };
    }
  };

/** Answers the bank's page; returns where the bank sends the browser. */
export async function answerBank(page: string, result: 'authenticated' | 'failed'): Promise<string> {
  const body = new URLSearchParams({ result });
  const response = await fetch(page, { method: 'POST', body, redirect: 'manual' });
  return response.headers.get('location') ?? '';
}

/** The payer leaves for the bank's page, and the browser is sent back. */
const payAtBank =
  ({ findForm, buildCardFields, buildCodeFields }: RedirectPayer): Payer =>
  async ({ client, card, patience }) => {
    const { url, body } = findForm(client);
    const submit = (to: string, fields: FormFields) => submitForm(to, fields, 2_500 * patience);
    try {
      const cardForm = await submit(url, body);
      const codeForm = await submit(cardForm, buildCardFields(card));
      return codeForm === '' ? {} : { authenticate: () => submit(codeForm, buildCodeFields('123456')) };
    } catch (error) {
      return { error };
    }
  };

/** Sends a form and goes wherever the answer leads; returns the address of the next page's form, if it has one. */
async function submitForm(url: string, fields: FormFields, withinMs: number): Promise<string> {
  const signal = AbortSignal.timeout(withinMs);
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), signal });
  return /<form method="post" action="([^"]+)">/.exec(await response.text())?.[1] ?? '';
}
