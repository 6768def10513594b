import { expect, it } from '@jest/globals';
import { describeLate } from './streams.ts';

const stream = (replicas: readonly object[], leader = 'nats-0') =>
  [{ name: 'EVENTS', cluster: { leader, replicas } }] as Parameters<typeof describeLate>[0];

it('a server that leads a stream, or is as far as its leader, is not late', () => {
  expect(describeLate(stream([{ name: 'nats-1', current: true }]), 'nats-0')).toEqual([]);
  expect(describeLate(stream([{ name: 'nats-1', current: true }]), 'nats-1')).toEqual([]);
});

it.each<[string, Parameters<typeof describeLate>[0]]>([
  ['messages behind', stream([{ name: 'nats-1', current: true, lag: 3 }])],
  ['not current', stream([{ name: 'nats-1', current: false }])],
  ['without a copy', stream([{ name: 'nats-2', current: true }])],
  ['asked for while nobody leads', []],
])('a server that is %s is late', (_, streams) => {
  expect(describeLate(streams, 'nats-1')).toHaveLength(1);
});
