import Type, { type Static } from '@gp/bundled/typebox';
import { DateTime, EventTypeName, Id, Request, Response } from './fields.ts';

const url = Type.String({
  format: 'uri',
  maxLength: 2048,
  description: 'Where events are sent: https, or http on localhost.',
});
/** A URI; what else the URL standard can parse is accepted too, and becomes a URI before it is stored. */
const newUrl = Type.String({
  format: 'uri',
  maxLength: 2048,
  description:
    'Where to send events: https, or http on localhost. Characters that a URI cannot contain are stored percent-encoded, a host name in Punycode.',
});
const eventTypes = Type.Array(EventTypeName, {
  uniqueItems: true,
  description: 'The events to send; none means all.',
});
/** One type list and not a union, so that a validator names one fault and not one per branch. */
const description = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: 255,
  description: 'For your own use.',
});

const endpoint = {
  id: Id('Id of the endpoint.'),
  url,
  description,
  enabled: Type.Boolean({ description: 'Whether events are sent.' }),
  event_types: eventTypes,
  created_at: DateTime('When it was registered.'),
  updated_at: DateTime('When it last changed.'),
};

export const WebhookEndpoint = Response('WebhookEndpoint', endpoint);
export const CreatedWebhookEndpoint = Response('CreatedWebhookEndpoint', {
  ...endpoint,
  secret: Type.String({ description: 'Signing secret, shown this once.' }),
});
export const WebhookEndpointList = Response('WebhookEndpointList', {
  webhook_endpoints: Type.Array(WebhookEndpoint),
});
export const DeletedWebhookEndpoint = Response('DeletedWebhookEndpoint', {
  id: Id('Id of the endpoint.'),
  deleted: Type.Boolean({ description: 'Whether it is gone.' }),
});

export const CreateWebhookRequest = Request('CreateWebhookRequest', {
  url: newUrl,
  description: Type.Optional(Type.String({ maxLength: 255, description: 'For your own use.' })),
  event_types: Type.Optional(eventTypes),
});
export type CreateWebhookRequest = Static<typeof CreateWebhookRequest>;

export const UpdateWebhookRequest = Request(
  'UpdateWebhookRequest',
  {
    url: Type.Optional(newUrl),
    description: Type.Optional(description),
    enabled: Type.Optional(Type.Boolean({ description: 'Whether events are sent.' })),
    event_types: Type.Optional(eventTypes),
  },
  { minProperties: 1 },
);
export type UpdateWebhookRequest = Static<typeof UpdateWebhookRequest>;
