import { createHash } from 'node:crypto';
import type { CallbackVerdict, FindSigners, RawCallback, ReturnVerdict } from '@gp/gateway';
import type { Credentials } from './credentials.ts';
import { isSigned, type SignedFields } from './signature.ts';
import { parseAttemptId, parseSignedFields, isAbout, parseText, unpack } from './wire.ts';

/**
 * Checks a notification of the gateway; see PaymentGateway.verifyCallback. It carries no useful time and no id of
 * its own: the digest of its parameters is the id, so that a replay is recognised and only causes a look-up.
 */
export async function verifyCallback(
  { body }: RawCallback,
  findSigners: FindSigners<Credentials>,
): Promise<CallbackVerdict<Credentials>> {
  const form = new URLSearchParams(body.toString('utf8'));
  const fields = parseSignedFields((name) => form.get(name));
  return fields ? verified(fields, findSigners) : { kind: 'forged', reason: 'is no signed form' };
}

/** Checks what a browser brought back from the bank's page: the same three fields, or nothing at all. */
export async function verifyReturn(
  query: URLSearchParams,
  findSigners: FindSigners<Credentials>,
): Promise<ReturnVerdict<Credentials>> {
  const fields = parseSignedFields((name) => query.get(name));
  if (!fields) return { kind: 'bare' };
  const verdict = await verified(fields, findSigners);
  return verdict.kind === 'irrelevant' ? { kind: 'bare' } : verdict;
}

async function verified(
  fields: SignedFields,
  findSigners: FindSigners<Credentials>,
): Promise<CallbackVerdict<Credentials>> {
  const parameters = unpack(fields.Ds_MerchantParameters);
  if (!parameters) return { kind: 'forged', reason: 'cannot be read' };
  const order = parseText(parameters, 'ds_order');
  // The notification does not name the mode: a terminal has another key in each.
  const named = { account: parseText(parameters, 'ds_merchantcode'), mode: null };
  const found = await findSigners(named, (secret) => isSigned(secret, order, fields));
  const [signer, ...others] = found.filter(({ credentials }) => isAbout(parameters, credentials, order));
  if (!signer) return { kind: 'forged', reason: 'wrong signature' };
  const attemptId = parseAttemptId(parseText(parameters, 'ds_merchantdata'));
  // The merchant's own sales over the same terminal do not carry our reference.
  if (attemptId === null) return { kind: 'irrelevant' };
  return {
    kind: 'verified',
    signers: [signer, ...others],
    eventId: createHash('sha256').update(fields.Ds_MerchantParameters).digest('hex'),
    eventType: `type ${parseText(parameters, 'ds_transactiontype')}`,
    pspReference: order,
    attemptId,
    isDisputed: null,
  };
}
