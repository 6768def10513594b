import { expect, it } from '@jest/globals';
import type { Db } from '@gp/pg';
import { consumerLines } from '@gp/testing';
import type { LedgerParts } from '../app/change/change-group.ts';
import { subscriptions } from './subscriptions.ts';

it('the service keeps the configuration of its durable consumers', () => {
  const db = {} as Db;
  expect(consumerLines(subscriptions({ db } as LedgerParts))).toEqual([
    'ledger-outcomes | COMMANDS | cmd.ledger.outcome.record.v1 | 32 | 5000 | any order',
    'ledger-timers | COMMANDS | cmd.ledger.timer.fire.v1 | 32 | 5000 | any order',
    'ledger-gateways | EVENTS | evt.merchant.gateway.changed.v1.* | 8 | 5000 | in order',
  ]);
});
