import type { Mode } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { admittedRoute, type HttpHead, type HttpRequest, type HttpResponse, type Route } from '@gp/http';
import type { Db } from '@gp/pg';
import { memberOfSession, type Member } from '../../app/account/sessions.ts';
import { may, type Permission } from '../../domain/roles.ts';
import { readSessionSecret } from './cookie.ts';
import { refuseOtherSites } from './same-site.ts';

type At = readonly [method: Route['method'], path: string];
type Handle = (request: HttpRequest, member: Member) => Promise<HttpResponse>;

export type { Member };
export type Guards = ReturnType<typeof guards>;

/**
 * Returns the guards of routes. Every route has one of them; all of them refuse requests that another site sent.
 */
export function guards(db: Db) {
  /** For routes that need no login. */
  const anyone = ([method, path]: At, handle: Route['handle']): Route => ({
    method,
    path,
    admit: async (head) => refuseOtherSites(head),
    handle,
  });

  const admitted = async (
    head: HttpHead,
    permission: Permission,
    isUse = !isUnattended(head),
  ): Promise<Member> => {
    refuseOtherSites(head);
    const member = await memberOfSession(db, readSessionSecret(head), { isUse });
    assertMay(member, permission);
    if (member.lacksSecondFactor && permission !== 'account.manage') throw lacksSecondFactor();
    return member;
  };

  /** For members whose role has the permission; others are refused before their body is read. */
  const allowed = (permission: Permission, [method, path]: At, handle: Handle): Route =>
    admittedRoute({ method, path, admit: (head) => admitted(head, permission), handle });

  /** For streams, which a page opens by itself: they do not keep the session from becoming idle. */
  const followed = (permission: Permission, [method, path]: At, handle: Handle): Route =>
    admittedRoute({ method, path, admit: (head) => admitted(head, permission, false), handle });

  /**
   * Does the same as `allowed`, and also requires a proof of identity within the last minutes: a browser that was left
   * open is not enough to take the merchant's keys.
   */
  const proved = (permission: Permission, [method, path]: At, handle: Handle): Route =>
    admittedRoute({
      method,
      path,
      admit: async (head) => {
        const member = await admitted(head, permission);
        if (member.provedUntil.getTime() <= Date.now()) throw notProved();
        return member;
      },
      handle,
    });

  return { anyone, allowed, followed, proved };
}

/** Returns whether a page says of its request that it loads something again without anybody's doing. */
const isUnattended = ({ headers }: HttpHead): boolean => headers['x-unattended'] !== undefined;

/** Throws `insufficient_scope` when a member's role does not have a permission. */
export function assertMay({ role }: Pick<Member, 'role'>, permission: Permission): void {
  if (!may(role, permission)) throw new AppError('insufficient_scope');
}

/** Throws `insufficient_scope` when something of live mode needs a permission that a member's role does not have. */
export function assertMayIn(mode: Mode, member: Pick<Member, 'role'>, permission: Permission): void {
  if (mode === 'live') assertMay(member, permission);
}

/** Pages recognise it by `param`, and lead to the profile. */
const lacksSecondFactor = () =>
  new AppError('insufficient_scope', { message: 'your team needs a second factor', param: 'second_factor' });

/** Pages recognise it by `param`, and ask for the password, a code or a passkey. */
const notProved = () =>
  new AppError('insufficient_scope', { message: 'prove again who you are', param: 'reauthenticate' });
