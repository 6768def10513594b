import { expect, it } from '@jest/globals';
import type { Db } from '@gp/pg';
import { consumerLines } from '@gp/testing';
import { subscriptions } from './subscriptions.ts';

it('the service keeps the configuration of its durable consumers', () => {
  const db = {} as Db;
  expect(consumerLines(subscriptions(db))).toEqual([
    'scheduler-timers | COMMANDS | cmd.scheduler.timers.change.v1 | 200 | 5000 | any order',
  ]);
});
