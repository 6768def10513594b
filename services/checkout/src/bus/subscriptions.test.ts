import { expect, it } from '@jest/globals';
import type { Db } from '@gp/pg';
import { consumerLines } from '@gp/testing';
import { subscriptions } from './subscriptions.ts';

it('the service keeps the configuration of its durable consumers', () => {
  const db = {} as Db;
  expect(consumerLines(subscriptions(db))).toEqual([
    'checkout-gateways | EVENTS | evt.merchant.gateway.changed.v1.* | 8 | 5000 | in order',
    'checkout-logos | EVENTS | evt.merchant.logo.changed.v1.* | 8 | 5000 | in order',
    'checkout-origins | EVENTS | evt.merchant.origins.changed.v1.* | 8 | 5000 | in order',
    'checkout-mails | EVENTS | evt.ledger.payment_intent.preauthorised.v1.*,evt.ledger.payment_intent.captured.v1.*,evt.ledger.payment_intent.released.v1.*,evt.ledger.payment_intent.refunded.v1.*,evt.ledger.group_payment.updated.v1.* | 8 | 5000 | any order',
  ]);
  expect(consumerLines(subscriptions(db, null))).toHaveLength(3);
});
