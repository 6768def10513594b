import { publicApi } from '@gp/contracts';
import { toScope } from '../../app/callers/caller.ts';
import { webhookUrlFault } from '../../domain/webhook-url.ts';
import { pathId, type Handle } from '../request/endpoint.ts';
import { buildRefusal } from '../request/faults.ts';
import type { RouteParts } from '../route-parts.ts';
import { bodyReader } from '../request/validator.ts';

const readNew = bodyReader(publicApi.CreateWebhookRequest);
const readChange = bodyReader(publicApi.UpdateWebhookRequest);
const NOUN = 'webhook endpoint';

/** GET /v1/webhooks */
export function listWebhooks({ services }: RouteParts): Handle {
  return async (_request, caller) => {
    const { endpoints } = await services.listEndpoints(toScope(caller));
    return { status: 200, body: { webhook_endpoints: endpoints } };
  };
}

/** POST /v1/webhooks: the only response that holds the signing secret. */
export function createWebhook({ services }: RouteParts): Handle {
  return async (request, caller) => {
    const { url, description = null, event_types = [] } = readNew(request).plain;
    checkUrl(url);
    const created = await services.createEndpoint({ ...toScope(caller), url, description, event_types });
    return { status: 201, headers: { Location: `/v1/webhooks/${created.id}` }, body: created };
  };
}

/** GET /v1/webhooks/{id} */
export function getWebhook({ services }: RouteParts): Handle {
  return async (request, caller) => {
    const id = pathId(request, NOUN);
    return { status: 200, body: await services.findEndpoint({ ...toScope(caller), id }) };
  };
}

/** PATCH /v1/webhooks/{id} */
export function updateWebhook({ services }: RouteParts): Handle {
  return async (request, caller) => {
    const id = pathId(request, NOUN);
    const change = readChange(request).plain;
    if (change.url !== undefined) checkUrl(change.url);
    return { status: 200, body: await services.updateEndpoint({ ...toScope(caller), id, ...change }) };
  };
}

/** DELETE /v1/webhooks/{id} */
export function deleteWebhook({ services }: RouteParts): Handle {
  return async (request, caller) => {
    const id = pathId(request, NOUN);
    return { status: 200, body: await services.deleteEndpoint({ ...toScope(caller), id }) };
  };
}

function checkUrl(url: string): void {
  const reason = webhookUrlFault(url);
  if (reason !== undefined) throw buildRefusal([{ param: 'url', reason }]);
}
