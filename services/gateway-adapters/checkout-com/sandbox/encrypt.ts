import { notFound } from '@gp/errors';
import type { HttpRequest, HttpResponse } from '@gp/http';
import { readObject, readText, type Stage } from '@gp/psp-sandbox/kit';
import { encryptField } from './cipher.ts';

/** `POST /control/gateway_b/encrypt {value, app}`: returns the value encrypted as the card field encrypts it. */
export async function encryptForTester(
  { accounts, clock }: Stage,
  request: HttpRequest,
): Promise<HttpResponse> {
  const body = readObject(request);
  const account = await accounts.findByPublicIds('gateway_b', { app_id: readText(body, 'app') });
  if (account === undefined) throw notFound('app');
  const key = Buffer.from(account.publicIds['p256'] ?? '', 'base64');
  const encrypted = encryptField(readText(body, 'value', 4_000), key, { at: clock() });
  return { status: 200, body: { encrypted } };
}
