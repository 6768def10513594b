import { expect, it } from '@jest/globals';
import { consumerLines } from '@gp/testing';
import type { Adapter } from '../adapter.ts';
import { subscriptions } from './subscriptions.ts';

it('the service keeps the configuration of its durable consumers', () => {
  const adapter = { psp: 'gateway_a', settings: { leaseMs: 7_000 } } as Adapter<unknown>;
  expect(consumerLines(subscriptions(adapter))).toEqual([
    'gateway_a-capture | COMMANDS | cmd.gateway_a.payment.capture.v1 | 32 | 7000 | in order',
    'gateway_a-void | COMMANDS | cmd.gateway_a.payment.void.v1 | 32 | 7000 | in order',
    'gateway_a-refund | COMMANDS | cmd.gateway_a.payment.refund.v1 | 32 | 7000 | in order',
    'gateway_a-query | COMMANDS | cmd.gateway_a.payment.query.v1 | 32 | 7000 | in order',
  ]);
});
