import { AppError } from '@gp/errors';
import type { HttpHead } from '@gp/http';
import { isSameSecret } from '../app/secrets.ts';

/** What a control call is admitted by. */
export type ControlAccess = {
  readonly token: string | undefined;
  /** Whether a client on this machine needs no token. */
  readonly fromLoopback: boolean;
};

const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

/**
 * Builds the check of control calls. A wrong token gets a 401; a call without one gets a 404, as if there were no
 * control calls, whatever address the port is bound to.
 */
export function admitControl({ token, fromLoopback }: ControlAccess): (head: HttpHead) => Promise<void> {
  return async ({ headers, remoteAddress }) => {
    if (fromLoopback && LOOPBACK.test(remoteAddress)) return;
    const given = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
    if (given === undefined) throw new AppError('route_not_found');
    if (token === undefined || !isSameSecret(given, token)) throw new AppError('unauthorized');
  };
}
