import { readJson, type HttpHead, type HttpResponse, type Route } from '@gp/http';
import { readLogin, readNewMerchant } from '../../app/input/input.ts';
import { giveCode, logIn, type From, type LoggedIn } from '../../app/account/log-in.ts';
import { askPasswordReset, resetPassword } from '../../app/account/password-reset.ts';
import type { WebParts } from '../../app/ports.ts';
import { endSession, startSession } from '../../app/account/sessions.ts';
import { confirmSignUp, signUp } from '../../app/account/sign-up.ts';
import { readCode, readEmail, readReset, readToken } from './account.input.ts';
import type * as api from '../api.ts';
import { readBody } from '../request/body.ts';
import { endedCookie, readSessionSecret, sessionCookie } from '../request/cookie.ts';
import { guards } from '../request/guards.ts';
import { readPlace } from '../request/place.ts';

/** Routes for signing up, logging in and out, and choosing a new password, which need no login. */
export function accountRoutes(parts: WebParts): Route[] {
  const { anyone } = guards(parts.db);
  const enter = logIn(parts);
  const code = giveCode(parts);
  return [
    ...signUpRoutes(parts),
    ...resetRoutes(parts),
    anyone(['POST', '/api/login'], async (request) =>
      entered(await enter(readLogin(readJson(request)), readFrom(request))),
    ),
    anyone(['POST', '/api/login/second-factor'], async (request) => {
      const given = readBody(request, readCode).code;
      return entered(await code(readSessionSecret(request), given, readPlace(request)));
    }),
    // Also for a user whose session is over: the cookie is cleared either way.
    anyone(['POST', '/api/logout'], async (request) => {
      const secret = readSessionSecret(request);
      if (secret !== undefined) await endSession(parts.db, secret);
      return { status: 200, headers: { 'set-cookie': endedCookie }, body: {} };
    }),
  ];
}

function signUpRoutes(parts: WebParts): Route[] {
  const { anyone } = guards(parts.db);
  const ask = signUp(parts);
  const confirm = confirmSignUp(parts);
  return [
    anyone(['POST', '/api/signup'], async (request) => {
      await ask(readNewMerchant(readJson(request)), request.remoteAddress);
      return { status: 202, body: {} };
    }),
    anyone(['POST', '/api/signup/confirm'], async (request) => {
      const { merchantId, userId } = await confirm(readBody(request, readToken).token, request.remoteAddress);
      const { place, previous } = readFrom(request);
      const secret = await startSession(parts.db, { userId, place, previous });
      const body = { merchant_id: merchantId };
      return { status: 201, headers: { 'set-cookie': sessionCookie(secret) }, body };
    }),
  ];
}

function resetRoutes(parts: WebParts): Route[] {
  const { anyone } = guards(parts.db);
  const ask = askPasswordReset(parts);
  const reset = resetPassword(parts);
  return [
    anyone(['POST', '/api/password-reset'], async (request) => {
      await ask(readBody(request, readEmail).email, request.remoteAddress);
      return { status: 202, body: {} };
    }),
    anyone(['POST', '/api/password-reset/confirm'], async (request) => {
      const { token: secret, password } = readBody(request, readReset);
      await reset({ secret, password }, request.remoteAddress);
      return { status: 200, body: {} };
    }),
  ];
}

const readFrom = (head: HttpHead): From => ({ place: readPlace(head), previous: readSessionSecret(head) });

function entered({ user, secret, needsCode }: LoggedIn): HttpResponse {
  const body: api.LoggedIn = {
    merchant_id: user.merchantId,
    email: user.email,
    role: user.role,
    second_factor_required: needsCode,
  };
  return { status: 200, headers: { 'set-cookie': sessionCookie(secret) }, body };
}
