import { expect, it } from '@jest/globals';
import type { Db } from '@gp/pg';
import { consumerLines } from '@gp/testing';
import { subscriptions } from './subscriptions.ts';

it('the service keeps the configuration of its durable consumers', () => {
  const db = {} as Db;
  expect(consumerLines(subscriptions(db))).toEqual([
    'api-gateway-keys | EVENTS | evt.merchant.api_key.changed.v1.* | 16 | 5000 | in order',
    'api-gateway-epochs | EVENTS | evt.checkout.session_epoch.raised.v1.* | 16 | 5000 | in order',
    'api-gateway-origins | EVENTS | evt.merchant.origins.changed.v1.* | 16 | 5000 | in order',
  ]);
});
