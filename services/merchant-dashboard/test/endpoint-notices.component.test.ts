import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { endpointFailing, type EndpointFailing } from '@gp/contracts';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';

const DAY_MS = 86_400_000;

let dashboard: Dashboard;
let owner: Member;
let developer: Member;
beforeAll(async () => (dashboard = await openDashboard()));
afterAll(() => dashboard?.close());
beforeEach(async () => {
  owner = await dashboard.newMerchant();
  developer = await dashboard.colleague(owner, 'developer');
  await dashboard.colleague(owner, 'viewer');
  dashboard.mails.length = 0;
});

const newNotice = (o: Partial<EndpointFailing> = {}): EndpointFailing => ({
  ...{ notice_id: randomUUID(), merchant_id: owner.id, mode: 'live', endpoint_id: randomUUID() },
  address: 'https://shop.example/hooks',
  ...{ trouble: 'failing', failing_since: '2026-03-01T07:12:45.000Z', noticed_at: new Date().toISOString() },
  ...{ waiting: 12, given_up: 0, http_status: 503, error_class: null },
  ...o,
});
/** Under an id of its own each time, so that the bus delivers each. */
const publish = (notice: EndpointFailing) => {
  const subject = `${endpointFailing.subject}.${notice.merchant_id}`;
  return dashboard.others.publish({ id: randomUUID(), subject, mode: notice.mode, payload: notice });
};
const mailsOf = ({ endpoint_id }: EndpointFailing) =>
  dashboard.mails.filter(({ text }) => text.includes(endpoint_id));

it('owners and developers get a mail about an endpoint that acknowledges nothing, with what waits and where to look (K19)', async () => {
  const notice = newNotice();
  await publish(notice);
  await dashboard.takeAll();
  const mails = mailsOf(notice);
  expect(mails.map(({ to }) => to).sort()).toEqual([owner.email, developer.email].sort());
  expect(mails[0]?.subject).toBe('A webhook endpoint acknowledges nothing');
  expect(mails[0]?.text.split('\n\n')).toEqual([
    'https://shop.example/hooks has acknowledged nothing since 2026-03-01 07:12 UTC. Last result: it answered 503.',
    '12 deliveries are waiting and will be tried again.',
    expect.stringContaining('for up to 30 days'),
    `https://dashboard.example/live/webhooks/${notice.endpoint_id}`,
  ]);
});

it('a second mail says that deliveries were given up, and why the endpoint did not answer (K19)', async () => {
  const notice = newNotice({
    ...{ trouble: 'given_up', given_up: 1, waiting: 0, http_status: null, error_class: 'connect_timeout' },
  });
  await publish(notice);
  await dashboard.takeAll();
  const [mail] = mailsOf(notice);
  expect(mail?.subject).toBe('Events for a webhook endpoint are no longer tried');
  expect(mail?.text).toContain('Last result: no connection in time.');
  expect(mail?.text).toContain('1 delivery failed in every try and is not sent any more. None is waiting.');
});

it('a notice that comes again causes no second mail, and test mode and one of the day before none (K19)', async () => {
  const notice = newNotice();
  const quiet = [
    newNotice({ mode: 'test' }),
    newNotice({ noticed_at: new Date(Date.now() - 1.1 * DAY_MS).toISOString() }),
  ];
  for (const each of [notice, notice, ...quiet]) await publish(each);
  await dashboard.takeAll();
  expect(mailsOf(notice)).toHaveLength(2);
  expect(quiet.flatMap(mailsOf)).toEqual([]);
});

it('when many endpoints fail at once, each reader gets ten mails in an hour (K19)', async () => {
  const notices = Array.from({ length: 12 }, () => newNotice());
  for (const notice of notices) await publish(notice);
  await dashboard.takeAll();
  expect(notices.flatMap(mailsOf)).toHaveLength(2 * 10);
});
