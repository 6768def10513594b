import { idSources } from '../id-sources.ts';
import type { JsonObject } from '../json.ts';
import { buildItems, type Item } from './item.ts';

type Folder = { readonly name: string; readonly description: string; readonly item: readonly Item[] };

/** Where a platform on the reader's own machine serves the API; the served file has the address of its installation. */
export const LOCAL_ADDRESS = 'http://127.0.0.1:8080';

/** A bill from its beginning to a refund: operations with the number of their example, in the order of sending. */
const WALKTHROUGH: readonly (readonly [operation: string, example: number])[] = [
  ['createWebhook', 0],
  ['createGroupPayment', 0],
  ['getGroupPayment', 0],
  ['createTestPayment', 0],
  ['createTestPayment', 1],
  ['createTestPayment', 2],
  ['listPayments', 0],
  ['listGroupPayments', 0],
  ['refundGroupPayment', 0],
  ['listEvents', 0],
  ['getEvent', 0],
  ['listWebhookDeliveries', 0],
  ['deleteWebhook', 0],
];

/** Sets the days that the examples name: their bills were made yesterday and expire tomorrow, whenever they are sent. */
const SET_DAYS = [
  'const day = (offset) => new Date(Date.now() + offset * 864e5).toISOString().slice(0, 10);',
  "pm.collectionVariables.set('yesterday', day(-1));",
  "pm.collectionVariables.set('tomorrow', day(1));",
];

/**
 * Builds a collection of every request of the document in the format 2.1 of Postman, which Bruno, Insomnia and Hoppscotch
 * import as well: a folder for each tag, bodies from the examples, and ids from the answers before.
 */
export function buildCollection(document: JsonObject): JsonObject {
  const { title, version } = document['info'] as Record<string, string>;
  const tags = document['tags'] as readonly { name: string; description: string }[];
  const all = listOperations(document);
  const folders = tags.map(({ name, description }): Folder => ({
    name,
    description,
    item: all.filter(({ tag }) => tag === name).flatMap(({ items }) => items),
  }));
  return {
    info: {
      name: `${title} API ${version}`,
      description:
        'Set the variable `api_key` to a test key (`sk_test_…`), and `base_url` to the address of your installation. Each answer with an id sets the variable that the next requests read.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }] },
    event: [{ listen: 'prerequest', script: { type: 'text/javascript', exec: SET_DAYS } }],
    variable: [
      { key: 'base_url', value: LOCAL_ADDRESS },
      { key: 'api_key', value: '' },
      ...listIdNames().map((key) => ({ key, value: '' })),
    ],
    item: [walkthrough(all), ...folders.filter(({ item }) => item.length > 0)],
  };
}

type Operation = { readonly id: string; readonly tag: string; readonly items: readonly Item[] };

function listOperations(document: JsonObject): Operation[] {
  const paths = Object.entries(document['paths'] as Record<string, Record<string, JsonObject>>);
  const { parameters } = document['components'] as { parameters: Record<string, JsonObject> };
  return paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: String(operation['operationId']),
      tag: String((operation['tags'] as readonly string[])[0]),
      items: buildItems({ method, path, operation }, parameters),
    })),
  );
}

function walkthrough(all: readonly Operation[]): Folder {
  const item = WALKTHROUGH.map(([id, example], index) => {
    const found = all.find((operation) => operation.id === id)?.items[example];
    if (!found) throw new Error(`the walkthrough has no example ${example} of ${id}`);
    return { ...found, name: `${index + 1}. ${found.name}` };
  });
  const description =
    'A bill from its creation to a refund, in test mode. Send one request after the other; before the refund, wait until the group payment is paid.';
  return { name: 'Walkthrough', description, item };
}

const listIdNames = (): string[] => [
  ...new Set(Object.values(idSources).flatMap((sources) => Object.keys(sources))),
];
