import type { PspCode } from '@gp/gateway-registry';
import { notFound } from '@gp/errors';
import type { HttpRequest, HttpResponse } from '@gp/http';
import type { PlayedGateway } from '../app/gateway.ts';
import type { Accounts } from '../app/ports.ts';
import { readAddress, readGateway, readObject, readText } from './read.ts';

export type AccountControls = {
  readonly accounts: Accounts;
  readonly gateways: ReadonlyMap<PspCode, PlayedGateway>;
};

/**
 * `POST /control/{gateway}/accounts`: opens an account and returns its credentials. The same name returns the same
 * account again, whose webhook address and `display_name` are then the newest given.
 */
export async function openAccount(
  { accounts, gateways }: AccountControls,
  request: HttpRequest,
): Promise<HttpResponse> {
  const gateway = gateways.get(readGateway(request.params['gateway']));
  if (gateway === undefined) throw notFound('gateway');
  const body = readObject(request);
  const webhookUrl = body['webhook_url'] === undefined ? null : readAddress(body, 'webhook_url');
  const displayName = body['display_name'] === undefined ? null : readText(body, 'display_name');
  const name = readText(body, 'name');
  const account = await accounts.open(gateway.newAccount(), { name, displayName, webhookUrl });
  return { status: 200, body: gateway.listCredentials(account) };
}

/**
 * `PUT /control/{gateway}/webhook_endpoint`: sets where callbacks go for accounts without an address of their own.
 */
export async function setEndpoint(
  { accounts }: AccountControls,
  request: HttpRequest,
): Promise<HttpResponse> {
  const body = readObject(request);
  const endpoint = { url: readAddress(body, 'url'), secret: readText(body, 'secret') };
  await accounts.setEndpoint(readGateway(request.params['gateway']), endpoint);
  return { status: 204 };
}
