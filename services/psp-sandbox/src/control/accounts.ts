import type { PspCode } from '@gp/gateway-registry';
import { notFound } from '@gp/errors';
import type { HttpRequest, HttpResponse } from '@gp/http';
import type { PlayedGateway } from '../app/gateway.ts';
import type { Accounts } from '../app/ports.ts';
import { addressOf, gatewayOf, readObject, textOf } from './read.ts';

export type AccountControls = {
  readonly accounts: Accounts;
  readonly gateways: ReadonlyMap<PspCode, PlayedGateway>;
};

/**
 * `POST /control/{gateway}/accounts`: opens an account and answers its credentials. The same name finds the same
 * account again, whose webhook address is then the newest given.
 */
export async function openAccount(
  { accounts, gateways }: AccountControls,
  request: HttpRequest,
): Promise<HttpResponse> {
  const gateway = gateways.get(gatewayOf(request.params['gateway']));
  if (gateway === undefined) throw notFound('gateway');
  const body = readObject(request);
  const webhookUrl = body['webhook_url'] === undefined ? null : addressOf(body, 'webhook_url');
  const account = await accounts.open(gateway.newAccount(), textOf(body, 'name'), webhookUrl);
  return { status: 200, body: gateway.credentialsOf(account) };
}

/** `PUT /control/{gateway}/webhook_endpoint`: where callbacks go of accounts without an address of their own. */
export async function setEndpoint(
  { accounts }: AccountControls,
  request: HttpRequest,
): Promise<HttpResponse> {
  const body = readObject(request);
  const endpoint = { url: addressOf(body, 'url'), secret: textOf(body, 'secret') };
  await accounts.setEndpoint(gatewayOf(request.params['gateway']), endpoint);
  return { status: 204 };
}
