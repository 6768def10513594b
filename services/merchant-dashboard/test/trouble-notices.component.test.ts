import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { publicEventSubject, TROUBLE_EVENT_TYPES, type EventType, type PublicEvent } from '@gp/contracts';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';

const DAY_MS = 86_400_000;

let dashboard: Dashboard;
let owner: Member;
beforeAll(async () => (dashboard = await openDashboard()));
afterAll(() => dashboard?.close());
beforeEach(async () => {
  owner = await dashboard.newMerchant();
  await dashboard.colleague(owner, 'admin');
  dashboard.mails.length = 0;
});

const newEvent = (type: EventType, o: Partial<PublicEvent> = {}): PublicEvent => ({
  ...{
    id: randomUUID(),
    type,
    created: new Date().toISOString(),
    merchant_id: owner.id,
    mode: 'live',
    group_id: randomUUID(),
  },
  ...{ sequence: 1, data: { payment_intent_id: randomUUID(), customer_email: 'ana@payers.example' } },
  ...o,
});
const publish = (event: PublicEvent, times = 1) =>
  Promise.all(
    Array.from({ length: times }, (_, at) =>
      dashboard.others.publish({
        ...{ id: `${event.id}-${at}`, subject: publicEventSubject(event.type, event.group_id) },
        ...{ mode: event.mode, payload: event },
      }),
    ),
  );
const mailsOf = ({ group_id }: PublicEvent) => dashboard.mails.filter(({ text }) => text.includes(group_id));

it('owners get a mail about each dispute, failed capture and failed refund of live mode, which names no payer (K18)', async () => {
  const events = TROUBLE_EVENT_TYPES.map((type) => newEvent(type));
  for (const event of events) await publish(event);
  await dashboard.takeAll();
  expect(events.map((event) => mailsOf(event).map(({ to, subject }) => [to, subject]))).toEqual([
    [[owner.email, 'Held money could not be captured']],
    [[owner.email, 'A refund gave nothing back']],
    [[owner.email, 'A payer disputes a payment']],
  ]);
  for (const event of events) {
    const [mail] = mailsOf(event);
    expect(mail?.text).toContain(`https://dashboard.example/live/group-payments/${event.group_id}`);
    expect(mail?.text).not.toContain('ana@');
  }
});

it('an event that comes again causes no second mail, and test mode, other events and those of the day before none (K18)', async () => {
  const event = newEvent('payment_intent.disputed');
  const quiet = [
    newEvent('payment_intent.disputed', { mode: 'test' }),
    newEvent('group_payment.paid'),
    newEvent('payment_intent.disputed', { created: new Date(Date.now() - 1.1 * DAY_MS).toISOString() }),
  ];
  await publish(event, 3);
  for (const each of quiet) await publish(each);
  await dashboard.takeAll();
  expect(mailsOf(event)).toHaveLength(1);
  expect(quiet.flatMap(mailsOf)).toEqual([]);
});

it('when many fail at once, owners get ten mails of a type in an hour (K18)', async () => {
  const events = Array.from({ length: 12 }, () => newEvent('group_payment.capture_failed'));
  for (const event of events) await publish(event);
  await dashboard.takeAll();
  expect(events.flatMap(mailsOf)).toHaveLength(10);
});
