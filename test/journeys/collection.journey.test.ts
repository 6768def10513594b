import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { openCollection, type Answered, type OpenCollection } from '../support/collection.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';

const CREATE = 'Create a group payment: Three equal shares';
const CREATE_ORGANISED = 'Create a group payment: With a link for an organiser';
const GET_GROUP = 'Get a group payment and its slots';
/** The card of this example is no ciphertext of any key, and a stream has no end. */
const LEFT_OUT = [/^Authorise a payment with an encrypted card/, /^Stream events/];
/** These end what other requests need. */
const LAST = /^(Cancel|Delete|Advance|Reset)/;

let shared: SharedStack;
let text: string;

beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_b', 'gateway_a'] });
  text = await (await fetch(`${shared.stack.api}/docs/group-payments.postman_collection.json`)).text();
}, 240_000);
afterAll(() => shared?.close());

const open = (merchant: number): OpenCollection =>
  openCollection(text, { api_key: shared.stack.merchants[merchant]!.test_key });

const isSuccess = ({ status }: Answered): boolean => status >= 200 && status < 300;

/** Waits for the capture of the group that the collection's variable names. */
const waitUntilPaid = (collection: OpenCollection) =>
  eventually(async () => {
    const { body } = await collection.send(collection.find(GET_GROUP));
    return (body['group_payment'] as { state: string }).state === 'paid' || undefined;
  });

it('the walkthrough of the served collection pays a group and refunds a slot of it with nothing set but the key (Q75)', async () => {
  const collection = open(0);
  const answers: Answered[] = [];
  for (const item of collection.listFolder('Walkthrough')) {
    if (/Refund/.test(item.name)) await waitUntilPaid(collection);
    answers.push(await collection.send(item));
  }
  expect(answers.filter((answer) => !isSuccess(answer))).toEqual([]);
  const find = (name: RegExp) => answers.find((answer) => name.test(answer.name))?.body;
  expect(find(/without funds/)).toMatchObject({ state: 'failed' });
  expect(find(/Refund/)).toMatchObject({ group_state: 'partially_refunded' });
  const { group_payment } = find(/Create/) as { group_payment: { id: string } };
  expect(find(/List group payments/)).toMatchObject({
    group_payments: expect.arrayContaining([expect.objectContaining({ id: group_payment.id })]),
  });
});

it('every other request of the collection succeeds with the ids that earlier answers set (Q75)', async () => {
  const collection = open(1);
  const answers: Answered[] = [];
  const send = async (name: string) => answers.push(await collection.send(collection.find(name)));
  await send(CREATE);
  await send('Pay slots as a payer with a test card: All slots that are free');
  await waitUntilPaid(collection);
  await send('Refund captured payments');
  const items = collection.folders
    .filter((folder) => !['Walkthrough', 'Refunds'].includes(folder))
    .flatMap((folder) => collection.listFolder(folder))
    .filter(({ name }) => LEFT_OUT.every((pattern) => !pattern.test(name)));
  const sorted = [
    ...items.filter(({ name }) => !LAST.test(name)),
    ...items.filter(({ name }) => LAST.test(name)),
  ];
  for (const item of sorted) {
    // Payments take slots, and a group is cancelled only while it collects.
    if (/^(Start a payment|Pay slots|Cancel)/.test(item.name)) await send(CREATE);
    if (/^Replace the organiser/.test(item.name)) await send(CREATE_ORGANISED);
    const answer = await eventually(async () => {
      const tried = await collection.send(item);
      // The log of requests is written a little later than they are answered.
      const isEmpty =
        item.name.startsWith('List the requests') && !(tried.body['request_logs'] as unknown[])[0];
      return isEmpty ? undefined : tried;
    });
    answers.push(answer);
  }
  expect(answers.filter((answer) => !isSuccess(answer))).toEqual([]);
  expect(answers.length).toBeGreaterThan(40);
});
