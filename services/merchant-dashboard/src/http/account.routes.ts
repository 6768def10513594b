import { readJson, type Route } from '@gp/http';
import { createMerchant } from '../app/create-merchant.ts';
import { readLogin, readNewMerchant } from '../app/input.ts';
import { describeMember } from '../app/overview.ts';
import type { DashboardParts } from '../app/ports.ts';
import { endSession, startSession, userOfPassword } from '../app/sessions.ts';
import { endedCookie, secretOf, sessionCookie } from './cookie.ts';
import { guards } from './guards.ts';

/** Signing up, in and out. */
export function accountRoutes(parts: DashboardParts): Route[] {
  const { db } = parts;
  const { anyone, member } = guards(db);
  const create = createMerchant(parts);
  return [
    anyone(['POST', '/api/signup'], async (request) => {
      const { merchantId, userId } = await create(readNewMerchant(readJson(request)));
      const cookie = sessionCookie(await startSession(db, userId, secretOf(request)));
      return { status: 201, headers: { 'set-cookie': cookie }, body: { merchant_id: merchantId } };
    }),
    anyone(['POST', '/api/login'], async (request) => {
      const { email, password } = readLogin(readJson(request));
      const user = await userOfPassword(db, email, password);
      const cookie = sessionCookie(await startSession(db, user.id, secretOf(request)));
      const body = { merchant_id: user.merchantId, email: user.email, role: user.role };
      return { status: 200, headers: { 'set-cookie': cookie }, body };
    }),
    // Also for somebody whose session is over: they leave with the cookie gone either way.
    anyone(['POST', '/api/logout'], async (request) => {
      const secret = secretOf(request);
      if (secret !== undefined) await endSession(db, secret);
      return { status: 200, headers: { 'set-cookie': endedCookie }, body: {} };
    }),
    member(['GET', '/api/me'], async (_request, user) => ({
      status: 200,
      body: await describeMember(db, user),
    })),
  ];
}
