import { readJson, type Route } from '@gp/http';
import { OVERLAPS_SECONDS } from '@gp/contracts';
import Type from '@gp/bundled/typebox';
import { createApiKey, requireKey, revokeApiKey, rollApiKey } from '../../app/settings/api-keys.ts';
import { closed, readMode, readNewKey } from '../../app/input/input.ts';
import { listKeys } from '../../app/settings/list-settings.ts';
import type { WebParts } from '../../app/ports.ts';
import { noticeOwners } from '../../app/mail/notices.ts';
import { reader } from '../../app/input/reader.ts';
import { assertMayIn, guards, type Member } from '../request/guards.ts';
import { assertMayGrant, readRestrictions } from './key-restrictions.ts';
import { pathId } from '../request/path-id.ts';
import { keyView, listedKeyView } from './views.ts';

const readRoll = reader(
  Type.Object(
    { overlap_seconds: Type.Unsafe<number>({ type: 'integer', enum: [...OVERLAPS_SECONDS] }) },
    closed,
  ),
);

/** Routes of a merchant's API keys. */
export function keyRoutes(parts: WebParts): Route[] {
  const { allowed, proved } = guards(parts.db);
  const roll = rollApiKey(parts);
  const create = createApiKey(parts);
  const revoke = revokeApiKey(parts);
  const notice = noticeOwners(parts);
  /** Returns a key that the member may change. */
  const find = async (member: Member, id: string) => {
    const row = await requireKey(parts.db, member.merchantId, id);
    assertMayIn(row.mode, member, 'live_keys.manage');
    return row;
  };
  return [
    allowed('read', ['GET', '/api/keys'], async (request, user) => {
      const { mode } = readMode(Object.fromEntries(request.query));
      const keys = await listKeys(parts.db, user.merchantId, mode);
      return { status: 200, body: { keys: keys.map(listedKeyView) } };
    }),
    proved('keys.manage', ['POST', '/api/keys'], async (request, actor) => {
      const entered = readNewKey(readJson(request));
      assertMayIn(entered.mode, actor, 'live_keys.manage');
      const { mode, name } = entered;
      const { row, key } = await create(actor, { mode, name, ...readRestrictions(actor, entered) });
      await notice(actor, mode, 'key.created');
      return { status: 201, body: { ...keyView(row), key } };
    }),
    proved('keys.manage', ['POST', '/api/keys/:id/roll'], async (request, actor) => {
      const id = pathId(request, 'API key');
      const { overlap_seconds } = readRoll(readJson(request));
      const old = await find(actor, id);
      assertMayGrant(actor, old.scopes);
      const { row, key } = await roll(actor, id, overlap_seconds);
      await notice(actor, row.mode, 'key.rolled');
      return { status: 201, body: { ...keyView(row), key } };
    }),
    proved('keys.manage', ['DELETE', '/api/keys/:id'], async (request, actor) => {
      const id = pathId(request, 'API key');
      const { mode } = await find(actor, id);
      const row = await revoke(actor, id);
      await notice(actor, mode, 'key.revoked');
      return { status: 200, body: keyView(row) };
    }),
  ];
}
