import { parseInstant, publicApi } from '@gp/contracts';
import { validationError } from '@gp/errors';
import type { HttpRequest, HttpResponse, Route } from '@gp/http';
import Type from '@gp/bundled/typebox';
import { noticeOwners } from '../../app/mail/notices.ts';
import { notedRequest } from '../../app/team/audit.ts';
import { closed } from '../../app/input/input.ts';
import type { WebParts } from '../../app/ports.ts';
import { queryReader, reader } from '../../app/input/reader.ts';
import type { DeliveryPage, EndpointList } from '../api.ts';
import { readBody } from '../request/body.ts';
import { toListOptions, formatCursor, readRows } from '../request/cursor.ts';
import { guards } from '../request/guards.ts';
import { FILE_PAGE, ListFormat, sendFiles } from '../request/list-file.ts';
import { pathId } from '../request/path-id.ts';
import { perMode, toScope, type AtMode } from '../request/per-mode.ts';
import { DELIVERY_COLUMNS } from './webhook-files.ts';

const readNew = reader(publicApi.CreateWebhookRequest);
const readChange = reader(publicApi.UpdateWebhookRequest);
const readRoll = reader(publicApi.RollSecretRequest);
const readTest = reader(publicApi.TestWebhookRequest);
const readPeriod = reader(publicApi.RecoverWebhookRequest);
const readDeliveries = queryReader(publicApi.ListDeliveriesQuery);
const { state, event_type } = publicApi.ListDeliveriesQuery.properties;
const readExport = queryReader(Type.Object({ state, event_type, format: ListFormat }, closed));
const NOUN = 'webhook endpoint';
const DEFAULT_LIMIT = 20;

/** Routes of a mode's webhook endpoints and their deliveries. */
export function webhookRoutes(parts: WebParts): Route[] {
  return perMode((o) => [...endpointRoutes(parts, o), ...deliveryRoutes(parts, o)]);
}

function endpointRoutes(parts: WebParts, { mode, at }: AtMode): Route[] {
  const { db, services } = parts;
  const { allowed, proved } = guards(db);
  const notice = noticeOwners(parts);
  const note = notedRequest(db);
  return [
    allowed('read', ['GET', at('webhooks')], async (_request, member) => {
      const scope = toScope(member, mode);
      const [{ endpoints }, sums] = await Promise.all([
        services.listEndpoints(scope),
        services.sumAttempts({ ...scope, days: 1 }),
      ]);
      return ok({ endpoints, health: sums.endpoints } satisfies EndpointList);
    }),
    proved('webhooks.manage', ['POST', at('webhooks')], async (request, member) => {
      const { url, description = null, event_types = [] } = readBody(request, readNew);
      const wanted = { ...toScope(member, mode), url, description, event_types };
      await note(member, 'webhook.create_requested', { mode, url, description, event_types });
      const created = await services.createEndpoint(wanted);
      await note(member, 'webhook.created', { mode, endpoint_id: created.id, url });
      await notice(member, mode, 'webhook.created');
      return { status: 201, body: created };
    }),
    allowed('read', ['GET', at('webhooks/:id')], async (request, member) =>
      ok(await services.findEndpoint({ ...toScope(member, mode), id: pathId(request, NOUN) })),
    ),
    proved('webhooks.manage', ['PATCH', at('webhooks/:id')], async (request, member) => {
      const id = pathId(request, NOUN);
      const change = readBody(request, readChange);
      await note(member, 'webhook.change_requested', { mode, endpoint_id: id, ...change });
      const changed = await services.updateEndpoint({ ...toScope(member, mode), id, ...change });
      await notice(member, mode, 'webhook.changed');
      return ok(changed);
    }),
    allowed('webhooks.manage', ['DELETE', at('webhooks/:id')], async (request, member) => {
      const id = pathId(request, NOUN);
      await note(member, 'webhook.delete_requested', { mode, endpoint_id: id });
      return ok(await services.deleteEndpoint({ ...toScope(member, mode), id }));
    }),
    proved('webhooks.manage', ['POST', at('webhooks/:id/roll-secret')], async (request, member) => {
      const id = pathId(request, NOUN);
      const { overlap_seconds = publicApi.DEFAULT_OVERLAP_SECONDS } = readBody(request, readRoll);
      await note(member, 'webhook.secret_roll_requested', { mode, endpoint_id: id, overlap_seconds });
      const rolled = await services.rollSecret({ ...toScope(member, mode), id, overlap_seconds });
      await notice(member, mode, 'webhook.rolled');
      return ok(rolled);
    }),
  ];
}

function deliveryRoutes(parts: WebParts, { mode, at }: AtMode): Route[] {
  const { db, services } = parts;
  const { allowed } = guards(db);
  const note = notedRequest(db);
  const sendFile = sendFiles(parts);
  return [
    allowed('webhooks.resend', ['POST', at('webhooks/:id/test')], async (request, member) => {
      const endpoint_id = pathId(request, NOUN);
      const { event_type = publicApi.DEFAULT_TEST_EVENT } = readBody(request, readTest);
      const sent = await services.sendTestEvent({ ...toScope(member, mode), endpoint_id, event_type });
      return { status: 201, body: sent };
    }),
    allowed('read', ['GET', at('webhooks/:id/deliveries')], async (request, member) => {
      const endpoint_id = pathId(request, NOUN);
      const { limit = DEFAULT_LIMIT, cursor, ...filter } = readDeliveries(request.query);
      const asked = { ...toScope(member, mode), endpoint_id, ...filter, limit, ...toListOptions(cursor) };
      const { deliveries, next } = await services.listDeliveries(asked);
      return ok({ deliveries, next_cursor: formatCursor(next) } satisfies DeliveryPage);
    }),
    allowed('read', ['GET', at('webhooks/:id/deliveries/export')], async (request, member) => {
      const endpoint_id = pathId(request, NOUN);
      const { format, ...filter } = readExport(request.query);
      const asked = { ...toScope(member, mode), endpoint_id, ...filter, limit: FILE_PAGE };
      const pages = readRows(
        (from) => services.listDeliveries({ ...asked, ...from }),
        ({ deliveries }) => deliveries,
      );
      const name = `deliveries-${mode}-${endpoint_id}`;
      return sendFile(request, member, { name, format, columns: DELIVERY_COLUMNS, pages });
    }),
    allowed(
      'webhooks.resend',
      ['POST', at('webhooks/:id/deliveries/:delivery_id/resend')],
      async (request, member) => {
        const endpoint_id = pathId(request, NOUN);
        const delivery_id = pathId(request, 'delivery', 'delivery_id');
        const asked = { ...toScope(member, mode), endpoint_id, delivery_id };
        return { status: 202, body: await services.resendDelivery(asked) };
      },
    ),
    allowed('webhooks.resend', ['POST', at('webhooks/:id/recover')], async (request, member) => {
      const endpoint_id = pathId(request, NOUN);
      const period = parsePeriod(request);
      await note(member, 'webhook.recovery_requested', { mode, endpoint_id, ...period });
      const started = await services.startRecovery({ ...toScope(member, mode), endpoint_id, ...period });
      return { status: 202, body: started };
    }),
    allowed('read', ['GET', at('webhooks/:id/recoveries/:recovery_id')], async (request, member) => {
      const endpoint_id = pathId(request, NOUN);
      const recovery_id = pathId(request, 'recovery', 'recovery_id');
      return ok(await services.findRecovery({ ...toScope(member, mode), endpoint_id, recovery_id }));
    }),
  ];
}

const ok = (body: unknown): HttpResponse => ({ status: 200, body });

function parsePeriod(request: HttpRequest): { since: string; until?: string } {
  const { since, until } = readBody(request, readPeriod);
  return { since: named('since', since), ...(until !== undefined && { until: named('until', until) }) };
}

function named(param: string, text: string): string {
  const found = parseInstant(text);
  if (!found) throw validationError(param, 'names no instant');
  return found.toISOString();
}
