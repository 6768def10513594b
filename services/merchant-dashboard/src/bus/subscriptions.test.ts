import { expect, it } from '@jest/globals';
import type { Db } from '@gp/pg';
import { consumerLines } from '@gp/testing';
import { subscriptions } from './subscriptions.ts';

it('the service keeps the configuration of its durable consumers', () => {
  const db = {} as Db;
  expect(consumerLines(subscriptions(db))).toEqual([
    'dashboard-key-exposures | COMMANDS | cmd.merchant.key_exposure.note.v1 | 4 | 5000 | any order',
    'dashboard-key-uses | COMMANDS | cmd.merchant.key_use.note.v1 | 4 | 5000 | any order',
    'dashboard-failed-captures | EVENTS | evt.ledger.group_payment.capture_failed.v1.* | 4 | 5000 | any order',
    'dashboard-failed-refunds | EVENTS | evt.ledger.group_payment.refund_failed.v1.* | 4 | 5000 | any order',
    'dashboard-disputes | EVENTS | evt.ledger.payment_intent.disputed.v1.* | 4 | 5000 | any order',
    'dashboard-failing-endpoints | EVENTS | evt.webhooks.endpoint.failing.v1.* | 4 | 5000 | any order',
  ]);
  expect(consumerLines(subscriptions(db, null))).toHaveLength(2);
});
