import { expect, it } from '@jest/globals';
import { connect } from '@nats-io/transport-node';
import { addContract, natsFixture } from './support.ts';

const fixture = natsFixture();

it('a message that does not ask for a reply to an inbox reaches no handler (M4)', async () => {
  const bus = await fixture.bus();
  const amounts: number[] = [];
  bus.serve(addContract, ({ amount }) => {
    amounts.push(amount);
    return Promise.resolve({ sum: amount });
  });
  await bus.call(addContract, { amount: 0 });
  const nc = await connect({ servers: fixture.nats.url });
  const send = (amount: number, reply?: string): void =>
    nc.publish(addContract.subject, JSON.stringify({ amount }), reply === undefined ? {} : { reply });
  send(1);
  send(2, '$JS.ACK.COMMANDS.trial.1.1.1.1.1');
  send(3, 'rpc.ledger.sums.add-many.v1');
  await nc.flush();
  await bus.call(addContract, { amount: 4 });
  expect(amounts).toEqual([0, 4]);
  await nc.close();
});

it('each call has an inbox that the other calls’ callees cannot guess (M4)', async () => {
  const bus = await fixture.bus();
  const replies: string[] = [];
  const nc = await connect({ servers: fixture.nats.url });
  nc.subscribe(addContract.subject, {
    callback: (_, msg) => {
      replies.push(msg.reply ?? '');
      msg.respond(JSON.stringify({ ok: { sum: 1 } }));
    },
  });
  await nc.flush();
  for (const amount of [1, 2]) await bus.call(addContract, { amount });
  for (const reply of replies) expect(reply).toMatch(/^_INBOX\.test\.\w+\.[0-9a-f-]{36}$/);
  expect(new Set(replies).size).toBe(2);
  await nc.close();
});
