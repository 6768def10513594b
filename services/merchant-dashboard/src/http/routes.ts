import { AppError, validationError } from '@gp/errors';
import { admittedRoute, type HttpHead, type HttpRequest, type HttpResponse, type Route } from '@gp/http';
import { createApiKey, revokeApiKey } from '../app/api-keys.ts';
import { createMerchant } from '../app/create-merchant.ts';
import { activateGateway, connectGateway, disconnectGateway } from '../app/gateways.ts';
import { describeMerchant, listGateways, listKeys } from '../app/overview.ts';
import type { Actor, DashboardParts } from '../app/ports.ts';
import { endSession, logIn, startSession, userOfSession } from '../app/sessions.ts';
import type { Member } from '../app/roles.ts';
import { mayManage } from '../app/roles.ts';
import { modeOf, readConnection, readGateway, readLogin, readNewKey, readSignup } from './bodies.ts';
import { endedCookie, secretOf, sessionCookie } from './cookie.ts';
import { refuseOtherSites } from './same-site.ts';
import { gatewayView, keyView } from './views.ts';

const PSP_CODE = /^gateway_[abc]$/;

/** Every route of the dashboard's backend. */
export function routes(parts: DashboardParts): Route[] {
  const { db } = parts;
  const create = createMerchant(parts);
  const login = logIn(db);
  const newKey = createApiKey(parts);
  const revokeKey = revokeApiKey(parts);
  const connect = connectGateway(parts);
  const activate = activateGateway(parts);
  const disconnect = disconnectGateway(parts);

  const anyone = (
    method: 'POST',
    path: string,
    handle: (r: HttpRequest) => Promise<HttpResponse>,
  ): Route => ({
    method,
    path,
    admit: (head) => Promise.resolve(refuseOtherSites(head)),
    handle,
  });
  const member = (
    method: Route['method'],
    path: string,
    handle: (request: HttpRequest, user: Member) => Promise<HttpResponse>,
  ): Route =>
    admittedRoute({
      method,
      path,
      async admit(head: HttpHead): Promise<Member> {
        refuseOtherSites(head);
        return userOfSession(db, secretOf(head));
      },
      handle,
    });
  const manager = (
    method: Route['method'],
    path: string,
    handle: (request: HttpRequest, actor: Actor) => Promise<HttpResponse>,
  ): Route =>
    member(method, path, (request, user) => {
      if (!mayManage(user.role)) throw new AppError('insufficient_scope');
      return handle(request, { merchantId: user.merchantId, name: user.email });
    });

  return [
    anyone('POST', '/api/signup', async (request) => {
      const { merchant_name: name, email, password } = readSignup(request);
      const { merchantId, userId } = await create({ name, email, password });
      const cookie = sessionCookie(await startSession(db, userId));
      return { status: 201, headers: { 'set-cookie': cookie }, body: { merchant_id: merchantId } };
    }),
    anyone('POST', '/api/login', async (request) => {
      const { email, password } = readLogin(request);
      const { user, secret } = await login(email, password);
      const body = { merchant_id: user.merchantId, email: user.email, role: user.role };
      return { status: 200, headers: { 'set-cookie': sessionCookie(secret) }, body };
    }),
    member('POST', '/api/logout', async (request) => {
      await endSession(db, secretOf(request) ?? '');
      return { status: 200, headers: { 'set-cookie': endedCookie }, body: {} };
    }),
    member('GET', '/api/me', async (_request, user) => ({
      status: 200,
      body: await describeMerchant(db, user),
    })),
    member('GET', '/api/keys', async (request, user) => ({
      status: 200,
      body: { keys: (await listKeys(db, user.merchantId, modeOf(request))).map(keyView) },
    })),
    manager('POST', '/api/keys', async (request, actor) => {
      const { row, key } = await newKey(actor, readNewKey(request));
      return { status: 201, body: { ...keyView(row), key } };
    }),
    manager('DELETE', '/api/keys/:id', async (request, actor) => ({
      status: 200,
      body: keyView(await revokeKey(actor, uuid(request.params['id']))),
    })),
    member('GET', '/api/gateways', async (request, user) => ({
      status: 200,
      body: { gateways: (await listGateways(db, user.merchantId, modeOf(request))).map(gatewayView) },
    })),
    manager('POST', '/api/gateways', async (request, actor) => {
      const { mode, psp_code: pspCode, credentials } = readConnection(request);
      return { status: 201, body: gatewayView(await connect(actor, { mode, pspCode, credentials })) };
    }),
    manager('PUT', '/api/gateways/active', async (request, actor) => {
      const { mode, psp_code: pspCode } = readGateway(request);
      return { status: 200, body: gatewayView(await activate(actor, { mode, pspCode })) };
    }),
    manager('DELETE', '/api/gateways/:psp_code', async (request, actor) => {
      const pspCode = request.params['psp_code'] ?? '';
      if (!PSP_CODE.test(pspCode)) throw validationError('psp_code', 'is not a gateway');
      await disconnect(actor, { mode: modeOf(request), pspCode: pspCode as 'gateway_a' });
      return { status: 200, body: {} };
    }),
  ];
}

function uuid(text: string | undefined): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text ?? '')) throw new AppError('not_found');
  return text ?? '';
}
