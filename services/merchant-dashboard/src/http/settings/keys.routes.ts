import { readJson, type Route } from '@gp/http';
import { OVERLAPS_SECONDS } from '@gp/contracts';
import Type from 'typebox';
import { createApiKey, revokeApiKey, rollApiKey } from '../../app/settings/api-keys.ts';
import { closed, readMode, readNewKey } from '../../app/input/input.ts';
import { listKeys } from '../../app/payments/overview.ts';
import type { DashboardParts } from '../../app/ports.ts';
import { reader } from '../../app/input/reader.ts';
import { guards } from '../request/guards.ts';
import { pathId } from '../request/path-id.ts';
import { keyView, listedKeyView } from './views.ts';

const readRoll = reader(
  Type.Object(
    { overlap_seconds: Type.Unsafe<number>({ type: 'integer', enum: [...OVERLAPS_SECONDS] }) },
    closed,
  ),
);

/** Routes of a merchant's API keys. */
export function keyRoutes(parts: DashboardParts): Route[] {
  const { allowed, proved } = guards(parts.db);
  const roll = rollApiKey(parts);
  const create = createApiKey(parts);
  const revoke = revokeApiKey(parts);
  return [
    allowed('read', ['GET', '/api/keys'], async (request, user) => {
      const { mode } = readMode(Object.fromEntries(request.query));
      const keys = await listKeys(parts.db, user.merchantId, mode);
      return { status: 200, body: { keys: keys.map(listedKeyView) } };
    }),
    proved('keys.manage', ['POST', '/api/keys'], async (request, actor) => {
      const { row, key } = await create(actor, readNewKey(readJson(request)));
      return { status: 201, body: { ...keyView(row), key } };
    }),
    proved('keys.manage', ['POST', '/api/keys/:id/roll'], async (request, actor) => {
      const id = pathId(request, 'API key');
      const { overlap_seconds } = readRoll(readJson(request));
      const { row, key } = await roll(actor, id, overlap_seconds);
      return { status: 201, body: { ...keyView(row), key } };
    }),
    allowed('keys.manage', ['DELETE', '/api/keys/:id'], async (request, actor) => {
      const id = pathId(request, 'API key');
      return { status: 200, body: keyView(await revoke(actor, id)) };
    }),
  ];
}
