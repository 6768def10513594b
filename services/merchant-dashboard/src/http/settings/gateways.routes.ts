import { readJson, type Route } from '@gp/http';
import {
  activateGateway,
  connectGateway,
  disconnectGateway,
  verifyGateway,
} from '../../app/settings/gateways.ts';
import { readConnection, readGateway, readMode } from '../../app/input/input.ts';
import { listGateways, countOpenGroupsByGateway } from '../../app/settings/list-settings.ts';
import { noticeOwners } from '../../app/mail/notices.ts';
import type { WebParts } from '../../app/ports.ts';
import { assertMayIn, guards } from '../request/guards.ts';
import { gatewayView } from './views.ts';

/** Routes of a merchant's gateway connections. */
export function gatewayRoutes(parts: WebParts): Route[] {
  const { allowed, proved } = guards(parts.db);
  const connect = connectGateway(parts);
  const activate = activateGateway(parts);
  const disconnect = disconnectGateway(parts);
  const verify = verifyGateway(parts);
  const notice = noticeOwners(parts);
  return [
    allowed('read', ['GET', '/api/gateways'], async (request, user) => {
      const { mode } = readMode(Object.fromEntries(request.query));
      const gateways = await listGateways(parts.db, user.merchantId, mode);
      const open = await countOpenGroupsByGateway(parts, user.merchantId, mode);
      const shown = gateways.map((row) => ({
        ...gatewayView(row),
        open_groups: open?.get(row.pspCode) ?? null,
      }));
      return { status: 200, body: { gateways: shown } };
    }),
    proved('gateways.manage', ['POST', '/api/gateways'], async (request, actor) => {
      const { mode, psp_code: pspCode, credentials } = readConnection(readJson(request));
      assertMayIn(mode, actor, 'live_gateways.manage');
      const row = await connect(actor, { mode, pspCode, credentials });
      await notice(actor, mode, 'gateway.connected');
      return { status: 201, body: gatewayView(row) };
    }),
    proved('gateways.manage', ['PUT', '/api/gateways/active'], async (request, actor) => {
      const { mode, psp_code: pspCode } = readGateway(readJson(request));
      assertMayIn(mode, actor, 'live_gateways.manage');
      const row = await activate(actor, { mode, pspCode });
      await notice(actor, mode, 'gateway.activated');
      return { status: 200, body: gatewayView(row) };
    }),
    allowed('gateways.manage', ['POST', '/api/gateways/verify'], async (request, actor) => {
      const { mode, psp_code: pspCode } = readGateway(readJson(request));
      assertMayIn(mode, actor, 'live_gateways.manage');
      return { status: 200, body: await verify(actor, { mode, pspCode }) };
    }),
    proved('gateways.manage', ['DELETE', '/api/gateways/:psp_code'], async (request, actor) => {
      const asked = { ...Object.fromEntries(request.query), psp_code: request.params['psp_code'] };
      const { mode, psp_code: pspCode } = readGateway(asked);
      assertMayIn(mode, actor, 'live_gateways.manage');
      await disconnect(actor, { mode, pspCode });
      await notice(actor, mode, 'gateway.disconnected');
      return { status: 200, body: {} };
    }),
  ];
}
