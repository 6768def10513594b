import type { ClientData } from '@gp/contracts';
import type { Card } from '@gp/gateway-registry';
import { payerRequest, unknownPayment, type PlayedPayer, type Stage } from '@gp/psp-sandbox/kit';
import { answerChallenge } from './challenge.ts';
import { encryptField } from './cipher.ts';

/** Encrypts the card as the card field does; the platform's server then authorises with it. */
export async function pay(
  { accounts, clock }: Stage,
  client: ClientData,
  { card, name }: PlayedPayer,
): Promise<Card> {
  const { card_field_app_id: app_id = '', card_field_team_id: team_id = '' } = client;
  const account = await accounts.findByPublicIds('gateway_b', { app_id, team_id });
  if (account === undefined) throw unknownPayment();
  const key = Buffer.from(account.publicIds['p256'] ?? '', 'base64');
  return {
    cardholder_name: name,
    encrypted_card_number: encryptField(card.number, key, { at: clock() }),
    expiration_month: Number(card.expiryMonth),
    expiration_year: Number(card.expiryYear),
    encrypted_security_code: encryptField(card.securityCode, key, { at: clock() }),
  };
}

const PAGE = /^\/gateway_b\/3ds\/([^/]+)\/([^/]+)$/;

/** Answers the issuer's question at the page to which a confirm led. */
export async function authenticate(
  stage: Stage,
  page: URL,
  { isAuthentic, signal }: Pick<PlayedPayer, 'isAuthentic' | 'signal'>,
): Promise<void> {
  const path = page.href.startsWith(`${stage.publicUrl}/`) ? page.pathname : '';
  const [, id = '', token = ''] = PAGE.exec(path) ?? [];
  if ((await stage.books.find('gateway_b', id)) === undefined) throw unknownPayment();
  const result = isAuthentic ? 'authenticated' : 'failed';
  await answerChallenge(stage, payerRequest({ path, params: { id, token }, fields: { result }, signal }));
}
