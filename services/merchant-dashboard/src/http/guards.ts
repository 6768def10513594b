import { AppError } from '@gp/errors';
import { admittedRoute, type HttpRequest, type HttpResponse, type Route } from '@gp/http';
import type { Db } from '@gp/pg';
import type { Actor } from '../app/ports.ts';
import { mayManage, type Member } from '../app/roles.ts';
import { userOfSession } from '../app/sessions.ts';
import { secretOf } from './cookie.ts';
import { refuseOtherSites } from './same-site.ts';

type At = readonly [method: Route['method'], path: string];

/** Who may use a route. Nothing is served without one of these; all of them refuse what another site sent. */
export function guards(db: Db) {
  /** Nobody needs to be logged in. */
  const anyone = ([method, path]: At, handle: Route['handle']): Route => ({
    method,
    path,
    admit: async (head) => refuseOtherSites(head),
    handle,
  });

  /** Anybody who is logged in, whatever the role. */
  const member = (
    [method, path]: At,
    handle: (request: HttpRequest, user: Member) => Promise<HttpResponse>,
  ): Route =>
    admittedRoute({
      method,
      path,
      async admit(head) {
        refuseOtherSites(head);
        return userOfSession(db, secretOf(head));
      },
      handle,
    });

  /** Those whose role lets them create keys and connect gateways; told so before their body is read. */
  const manager = (
    [method, path]: At,
    handle: (request: HttpRequest, actor: Actor) => Promise<HttpResponse>,
  ): Route =>
    admittedRoute({
      method,
      path,
      async admit(head): Promise<Actor> {
        refuseOtherSites(head);
        const user = await userOfSession(db, secretOf(head));
        if (!mayManage(user.role)) throw new AppError('insufficient_scope');
        return { merchantId: user.merchantId, name: user.email };
      },
      handle,
    });

  return { anyone, member, manager };
}
