import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { EVENT_TYPES, MOST_ENDPOINTS } from '@gp/contracts';
import { listEndpoints } from '../src/app/endpoints/find-endpoints.ts';
import { listGroupDeliveries } from '../src/app/deliveries/list-group-deliveries.ts';
import { groupEvents, openWorld, scope, type World } from './support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());
afterEach(() => world.clear());

/** Bytes that a NATS message may have, by default. */
const MESSAGE_BYTES = 1_048_576;
const countBytes = (answer: unknown) => Buffer.byteLength(JSON.stringify(answer));
const listed = async () => (await listEndpoints(world.db)(scope)).endpoints;
const url = 'https://merchant.example/'.padEnd(2_048, 'x');
/** The longest endpoints there are, as many as there may be. */
async function fill() {
  const longest = { description: '\u0001'.repeat(255), event_types: [...EVENT_TYPES] };
  for (let made = 0; made < MOST_ENDPOINTS; made += 10)
    await Promise.all(Array.from({ length: 10 }, () => world.endpoint(url, longest)));
}

it('a merchant has at most a hundred endpoints in a mode, and the list of them fits into a message', async () => {
  await fill();
  await expect(world.endpoint(url)).rejects.toMatchObject({
    code: 'validation_error',
    message: 'there may be at most 100 webhook endpoints in each mode; delete one first',
  });
  const endpoints = await listed();
  expect(endpoints).toHaveLength(MOST_ENDPOINTS);
  expect(countBytes(endpoints)).toBeLessThan(MESSAGE_BYTES / 2);
  await world.endpoint(url, { mode: 'live' });
  await world.endpoint(url, { merchant_id: 'm2' });

  await world.remove(endpoints[0]!.id);
  const { id } = await world.endpoint(url);
  expect((await listed()).at(-1)?.id).toBe(id);
});

it('endpoints made at the same moment are at most a few too many', async () => {
  await fill();
  await Promise.all((await listed()).slice(0, 3).map(({ id }) => world.remove(id)));
  await Promise.allSettled(Array.from({ length: 40 }, () => world.endpoint(url)));
  const { length } = await listed();
  expect(length).toBeGreaterThanOrEqual(MOST_ENDPOINTS);
  expect(length).toBeLessThanOrEqual(MOST_ENDPOINTS + 6);
});

it('a message holds the oldest of a group’s deliveries, as many as fit', async () => {
  await fill();
  const [first, ...events] = groupEvents(6);
  for (const event of [first!, ...events]) await world.publish(event);
  const answer = await listGroupDeliveries(world.db)({ ...scope, group_payment_id: first!.group_id });
  expect(countBytes(answer)).toBeLessThan(MESSAGE_BYTES);
  expect(answer.deliveries.length).toBeGreaterThan(MOST_ENDPOINTS);
  expect(answer.deliveries.slice(0, MOST_ENDPOINTS).every(({ event_id }) => event_id === first!.id)).toBe(
    true,
  );
});
