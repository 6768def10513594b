import { parseInstant, publicApi, type ListPosition } from '@gp/contracts';
import { toScope } from '../../app/callers/caller.ts';
import { listCursors } from '../request/cursor.ts';
import { pathId, type Handle } from '../request/endpoint.ts';
import { buildRefusal } from '../request/faults.ts';
import type { RouteParts } from '../route-parts.ts';
import { bodyReader, optionalBodyReader, queryReader } from '../request/validator.ts';

const readRoll = optionalBodyReader(publicApi.RollSecretRequest);
const readTest = optionalBodyReader(publicApi.TestWebhookRequest);
const readPeriod = bodyReader(publicApi.RecoverWebhookRequest);
const readQuery = queryReader(publicApi.ListDeliveriesQuery);
const NOUN = 'webhook endpoint';
const DEFAULT_LIMIT = 20;

/** POST /v1/webhooks/{id}/roll-secret: the only response that holds the new secret. */
export function rollWebhookSecret({ services }: RouteParts): Handle {
  return async (request, caller) => {
    const id = pathId(request, NOUN);
    const { overlap_seconds = publicApi.DEFAULT_OVERLAP_SECONDS } = readRoll(request).plain;
    return { status: 200, body: await services.rollSecret({ ...toScope(caller), id, overlap_seconds }) };
  };
}

/** POST /v1/webhooks/{id}/test */
export function testWebhook({ services }: RouteParts): Handle {
  return async (request, caller) => {
    const endpoint_id = pathId(request, NOUN);
    const { event_type = publicApi.DEFAULT_TEST_EVENT } = readTest(request).plain;
    const sent = await services.sendTestEvent({ ...toScope(caller), endpoint_id, event_type });
    return { status: 201, body: sent };
  };
}

/** GET /v1/webhooks/{id}/deliveries */
export function listWebhookDeliveries({ services, seal }: RouteParts): Handle {
  return async (request, caller) => {
    const endpoint_id = pathId(request, NOUN);
    const cursors = listCursors<ListPosition>(seal, `webhook-deliveries/${endpoint_id}`);
    const { limit = DEFAULT_LIMIT, cursor, ...filter } = readQuery(request.query);
    const { deliveries, next } = await services.listDeliveries({
      ...toScope(caller),
      endpoint_id,
      ...filter,
      limit,
      ...(cursor !== undefined && { after: cursors.read(caller, cursor) }),
    });
    const next_cursor = next && cursors.after(caller, next);
    return { status: 200, body: { deliveries, pagination: { limit, has_more: next !== null, next_cursor } } };
  };
}

/** POST /v1/webhooks/{id}/deliveries/{delivery_id}/resend */
export function resendWebhookDelivery({ services }: RouteParts): Handle {
  return async (request, caller) => {
    const endpoint_id = pathId(request, NOUN);
    const delivery_id = pathId(request, 'delivery', 'delivery_id');
    const resent = await services.resendDelivery({ ...toScope(caller), endpoint_id, delivery_id });
    return { status: 202, body: resent };
  };
}

/** POST /v1/webhooks/{id}/recover */
export function recoverWebhook({ services }: RouteParts): Handle {
  return async (request, caller) => {
    const endpoint_id = pathId(request, NOUN);
    const { since, until } = readPeriod(request).plain;
    const period = { since: instant('since', since), ...(until && { until: instant('until', until) }) };
    const started = await services.startRecovery({ ...toScope(caller), endpoint_id, ...period });
    return { status: 202, body: started };
  };
}

/** GET /v1/webhooks/{id}/recoveries/{recovery_id} */
export function getWebhookRecovery({ services }: RouteParts): Handle {
  return async (request, caller) => {
    const endpoint_id = pathId(request, NOUN);
    const recovery_id = pathId(request, 'recovery', 'recovery_id');
    const found = await services.findRecovery({ ...toScope(caller), endpoint_id, recovery_id });
    return { status: 200, body: found };
  };
}

function instant(param: string, text: string): string {
  const found = parseInstant(text);
  if (!found) throw buildRefusal([{ param, reason: 'names no instant' }]);
  return found.toISOString();
}
