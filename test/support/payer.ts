import { findManifest } from '@gp/gateway-registry';
import { sendUntilAnswered, type MerchantApi, type Pay } from './api.ts';
import { comeBack, postForm, postPage } from './forms.ts';
import type { StackFile } from './stack.ts';
import { findPayer } from './subjects.ts';

/** Cards of the sandbox; any future date and any code will do. */
export const cards = {
  approved: '4242424242424242',
  authenticated: '4000002760003184',
  declined: '4000000000000002',
} as const;

export type Payer = { readonly email: string; readonly name: string; readonly card: string };

/** Pays as a browser would, by whichever gateway the payment began with. Resolves when the gateway said yes. */
export async function authorise(
  stack: StackFile,
  api: MerchantApi,
  groupId: string,
  pay: Pay,
  payer: Payer,
): Promise<void> {
  switch (findManifest(pay.psp_code).flow) {
    case 'embedded':
      return confirmInBrowser(stack, pay, payer.card);
    case 'redirect':
      return comeBack(await payAtBank(pay, payer.card));
    case 'server_confirm':
      await api.confirm(groupId, await buildConfirmRequest(stack, pay, payer));
  }
}

/** `embedded`: the browser library posts the card, then the payer answers the bank's page where there is one. */
async function confirmInBrowser(stack: StackFile, pay: Pay, card: string): Promise<void> {
  const page = await postCard(stack, pay, card);
  if (page !== undefined) await answerBank(page, 'authenticated');
}

/** `embedded`: posts the card as the browser library does; returns the bank's page when the bank wants to ask. */
export async function postCard(stack: StackFile, pay: Pay, card: string): Promise<string | undefined> {
  const { buildConfirmation, findChallenge, findConfirmed } = findPayer(pay.psp_code, 'embedded');
  const { path, headers, fields } = buildConfirmation(pay, card);
  return findChallenge(await postForm(stack.sandbox + path, fields, { headers, findDone: findConfirmed }));
}

/** Fills in the bank's page. */
export async function answerBank(page: string, result: 'authenticated' | 'failed'): Promise<void> {
  await postForm(page, { result });
}

/**
 * `redirect`: the browser posts the form to the bank, the payer fills in the bank's pages. Returns the address where the
 * bank sends the browser then; null when its answer was lost and the payment turned out to be over.
 */
export async function payAtBank(pay: Pay, card: string, code = '123456'): Promise<string | null> {
  const { findForm, buildCardFields, buildCodeFields } = findPayer(pay.psp_code, 'redirect');
  const { url, body } = findForm(pay);
  const cardPage = await postPage(url, body);
  const next = await postPage(findFormAction(cardPage.text), buildCardFields(card));
  if (next.location !== null || next.status >= 400) return next.location;
  return (await postPage(findFormAction(next.text), buildCodeFields(code))).location;
}

const findFormAction = (page: string): string =>
  /<form method="post" action="([^"]+)">/.exec(page)?.[1] ?? '';

/** `server_confirm`: the body of a confirm request, its card encrypted as the card field does it. */
export async function buildConfirmRequest(stack: StackFile, pay: Pay, payer: Payer) {
  const { buildCard } = findPayer(pay.psp_code, 'server_confirm');
  const typed = { holder: payer.name, number: payer.card };
  return {
    payment_intent_id: pay.payment_intent_id,
    card: await buildCard(typed, (value) => encrypt(stack, pay, value)),
  };
}

/** `server_confirm`: encrypts a value as the card field does. */
export async function encrypt(stack: StackFile, pay: Pay, value: string): Promise<string> {
  const { path, body } = findPayer(pay.psp_code, 'server_confirm').buildEncryption(pay, value);
  return String((await sendUntilAnswered('POST', stack.sandbox + path, body)).body['encrypted']);
}
