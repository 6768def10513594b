import { publicApi } from '@gp/contracts';
import type { Group } from '../../support/api.ts';
import { buildConfirmRequest } from '../../support/payer.ts';
import { openRequests } from '../../support/requests.ts';
import type { Caller } from './callers.ts';
import { withoutVariant } from './table.ts';
import { inSeconds } from '../../support/journey.ts';
import { newGroup, order, period } from './things.ts';
import { ana, type World } from './world.ts';

/** One request: method, path, body and headers. */
export type Request = {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

type Body = (world: World) => unknown;

const payment = ({ payment_slots }: Group, index: number) => ({
  customer_email: ana.email,
  slot_ids: [payment_slots[index]?.id],
});

/** The bodies of operations that take one; every other one has no body. */
const bodies: Readonly<Record<string, Body>> = {
  createGroupPayment: () => order('Somebody’s dinner'),
  updateGroupPayment: () => ({ group_name: 'Somebody’s lunch' }),
  payGroupPayment: ({ mine }) => payment(mine.test.group, 1),
  confirmPayment: ({ stack, payments }) => buildConfirmRequest(stack, payments.mine, ana),
  createTestPayment: () => ({ customer_email: ana.email }),
  refundGroupPayment: () => ({}),
  createSession: () => ({}),
  createWebhook: () => ({ url: 'https://matrix.example/hooks' }),
  updateWebhook: () => ({ event_types: [] }),
  rollWebhookSecret: () => ({ overlap_seconds: 0 }),
  testWebhook: () => ({ event_type: 'group_payment.paid' }),
  recoverWebhook: () => period,
  advanceTestClock: () => ({ seconds: 1 }),
  resetTestClock: () => ({}),
};

/** A new link ends the one before, and the tokens of the group, a cancel its payments, and a test payment pays it: each is asked of a group of its own. */
const ENDING: ReadonlySet<string> = new Set([
  'rollCheckoutLink',
  'rollOrganiserLink',
  'cancelGroupPayment',
  'createTestPayment',
]);

/** The operations of the public API under the names of the table's rows, deletions last. */
export const operations: ReadonlyMap<string, publicApi.Operation> = new Map(
  Object.values(publicApi.operations)
    .toSorted(
      (a: publicApi.Operation, b: publicApi.Operation) =>
        Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
    )
    .map((operation: publicApi.Operation) => [`${operation.method} ${operation.path}`, operation] as const),
);

const newBillId = async ({ stack, mine }: World): Promise<string> =>
  (await newGroup(openRequests(stack.api, mine.merchant.test_key), 'Casa relinked')).group_payment.id;

/** Returns the request of an operation, with what its variant asks for in addition, on the first merchant's objects in test mode, or on the caller's own group. */
export async function buildApiRequest(
  world: World,
  row: string,
  { caller, isExpectedToSucceed }: { caller: Caller; isExpectedToSucceed: boolean },
): Promise<Request> {
  const operation = operations.get(withoutVariant(row));
  if (!operation) throw new Error(`${row} is no operation`);
  const { test } = world.mine;
  const own = caller.group ?? test.group;
  const replaces = ENDING.has(operation.id);
  const ids: Readonly<Record<string, string>> = {
    'group-payments': replaces && isExpectedToSucceed ? await newBillId(world) : own.group_payment.id,
    webhooks: operation.method === 'DELETE' && isExpectedToSucceed ? await newHookId(world) : test.hook.id,
    events: test.eventId,
    'request-logs': test.logId,
    customers: test.customerId,
  };
  const path = operation.path
    .replace('{id}', ids[operation.path.split('/')[2] ?? ''] ?? 'unknown')
    .replace('{delivery_id}', test.hook.deliveryId)
    .replace('{recovery_id}', test.hook.recoveryId);
  const query = row.includes(' · expand') ? `?expand=${row.split('=')[1] ?? 'payments'}` : '';
  return { method: operation.method, path: path + query, body: await bodies[operation.id]?.(world) };
}

/** Makes an endpoint that may be deleted; returns its id. */
async function newHookId({ stack, mine }: World): Promise<string> {
  const server = openRequests(stack.api, mine.merchant.test_key);
  return String((await server.post('/v1/webhooks', { url: 'https://matrix.example/hooks' })).body['id']);
}

/** Returns the request of a route of checkout; a row with a dot uses another link, group or page. */
export function buildCheckoutRequest(world: World, row: string, caller: Caller): Request {
  const [method = '', route = ''] = row.split(' ');
  const { test } = world.mine;
  const isOther = row.includes(' · ');
  const group = caller.group ?? test.group;
  const path = route
    .replace(':page_token', isOther ? 'A'.repeat(22) : test.pageToken)
    .replace(':organiser_token', isOther ? 'A'.repeat(22) : test.organiserToken)
    .replace(':id', group.group_payment.id)
    .replace(':payment_intent_id', (isOther ? world.payments.beside : world.payments.mine).payment_intent_id)
    .replace(':version', 'no-such-version')
    .replace('*file', 'no-such-file.js')
    .replace(':file', `${'0'.repeat(40)}.png`);
  const bodyOf: Readonly<Record<string, unknown>> = {
    '/o/:organiser_token/remind': {},
    '/o/:organiser_token/extend': { expires_at: inSeconds(7_200) },
    '/o/:organiser_token/cancel': {},
    '/embed/v1/admissions': { origin: isOther ? 'https://elsewhere.example' : world.origin },
    '/embed/v1/returns': {
      payment_intent_id: (isOther ? world.payments.beside : world.payments.mine).payment_intent_id,
      return_url: `${world.origin}/thanks`,
    },
  };
  const body = method === 'POST' ? bodyOf[route] : undefined;
  // Asks for a snapshot instead of a stream, which would never end.
  return { method, path, ...(body !== undefined && { body }), headers: { accept: 'application/json' } };
}
