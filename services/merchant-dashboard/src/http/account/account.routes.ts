import { readJson, type HttpResponse, type Route } from '@gp/http';
import { readLogin, readNewMerchant } from '../../app/input/input.ts';
import { enterOnDevice, giveCode, logIn, type LoggedIn } from '../../app/account/log-in.ts';
import { askPasswordReset, resetPassword } from '../../app/account/password-reset.ts';
import type { WebParts } from '../../app/ports.ts';
import { endSession } from '../../app/account/sessions.ts';
import { confirmSignUp, signUp } from '../../app/account/sign-up.ts';
import { readCode, readEmail, readReset, readToken } from './account.input.ts';
import type * as api from '../api.ts';
import { readBody } from '../request/body.ts';
import { buildCookies, endedCookie, readFrom, readSessionSecret } from '../request/cookie.ts';
import { guards } from '../request/guards.ts';

/** Routes for signing up, logging in and out, and choosing a new password, which need no login. */
export function accountRoutes(parts: WebParts): Route[] {
  const { anyone } = guards(parts.db);
  const enter = logIn(parts);
  const code = giveCode(parts);
  return [
    ...signUpRoutes(parts),
    ...resetRoutes(parts),
    anyone(['POST', '/api/login'], async (request) =>
      showLogin(await enter(readLogin(readJson(request)), readFrom(request))),
    ),
    anyone(['POST', '/api/login/second-factor'], async (request) => {
      const given = readBody(request, readCode).code;
      return showLogin(await code(readSessionSecret(request), given, readFrom(request)));
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
  const enter = enterOnDevice(parts);
  return [
    anyone(['POST', '/api/signup'], async (request) => {
      await ask(readNewMerchant(readJson(request)), request.remoteAddress);
      return { status: 202, body: {} };
    }),
    anyone(['POST', '/api/signup/confirm'], async (request) => {
      const { merchantId, userId, email } = await confirm(
        readBody(request, readToken).token,
        request.remoteAddress,
      );
      const { secret, device } = await enter({ id: userId, email }, readFrom(request));
      const body = { merchant_id: merchantId };
      return { status: 201, headers: { 'set-cookie': buildCookies({ secret, device }) }, body };
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

/** Returns the response to a login, complete or not, with its cookies. */
export function showLogin({ user, secret, device, awaits }: LoggedIn): HttpResponse {
  const body: api.LoggedIn = {
    merchant_id: user.merchantId,
    email: user.email,
    role: user.role,
    second_factor_required: awaits.length > 0,
    second_factors: awaits,
  };
  return { status: 200, headers: { 'set-cookie': buildCookies({ secret, device }) }, body };
}
