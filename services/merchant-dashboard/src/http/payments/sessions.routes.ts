import { readJson, type Route } from '@gp/http';
import { revokeGroupSessions } from '../../app/payments/group-sessions.ts';
import { readMode } from '../../app/input/input.ts';
import type { DashboardParts } from '../../app/ports.ts';
import { guards } from '../request/guards.ts';
import { pathId } from '../request/path-id.ts';

/** Routes of a group payment's session tokens, which payers' browsers hold. */
export function sessionRoutes(parts: DashboardParts): Route[] {
  const { allowed } = guards(parts.db);
  const revoke = revokeGroupSessions(parts);
  return [
    allowed(
      'sessions.revoke',
      ['POST', '/api/group-payments/:id/revoke-sessions'],
      async (request, actor) => {
        const { mode } = readMode(readJson(request));
        const groupId = pathId(request, 'group payment');
        return { status: 200, body: await revoke(actor, { mode, groupId }) };
      },
    ),
  ];
}
