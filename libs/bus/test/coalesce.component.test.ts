import { describe, expect, it } from '@jest/globals';
import { AppError } from '@gp/errors';
import type { Bus } from '../src/index.ts';
import { after, catchCode, manyContract, natsFixture, recordingLog, signal } from './support.ts';

const fixture = natsFixture();

/** Returns its amount for every command; records the amounts of each message. */
function echo(bus: Bus): number[][] {
  const messages: number[][] = [];
  bus.serveBatch(manyContract, (commands) => {
    messages.push(commands.map((c) => c.command.amount));
    return Promise.resolve(commands.map((c) => ({ sum: c.command.amount })));
  });
  return messages;
}

describe('coalesced commands', () => {
  it('coalesced commands that arrive together share messages of at most 64, and each gets its own reply', async () => {
    const bus = await fixture.bus();
    const messages = echo(bus);
    const send = bus.coalesce(manyContract);
    const amounts = Array.from({ length: 500 }, (_, i) => i);
    const answers = await Promise.all(amounts.map((amount) => send({ amount })));
    expect(answers.map((a) => a.sum)).toEqual(amounts);
    expect(Math.max(...messages.map((m) => m.length))).toBe(64);
    expect(messages.length).toBeLessThan(20);
  });

  it('a refused or invalid one does not affect the others', async () => {
    const bus = await fixture.bus();
    bus.serveBatch(manyContract, (commands) =>
      Promise.resolve(
        commands.map(({ command }) =>
          command.amount === 2 ? new AppError('group_expired') : { sum: command.amount },
        ),
      ),
    );
    const send = bus.coalesce(manyContract);
    const outcomes = await Promise.all([1, 2, -3, 4].map((amount) => catchCode(send({ amount }))));
    expect(outcomes).toEqual(['no error', 'group_expired', 'validation_error', 'no error']);
  });

  it('a reply that breaks the contract fails its own command only', async () => {
    const log = recordingLog();
    const bus = await fixture.bus({ log });
    bus.serveBatch(manyContract, (commands) =>
      Promise.resolve(commands.map(({ command }) => ({ sum: command.amount === 2 ? 0.5 : 0 }))),
    );
    const send = bus.coalesce(manyContract);
    const outcomes = await Promise.all([1, 2, 3].map((amount) => catchCode(send({ amount }))));
    expect(outcomes).toEqual(['no error', 'internal_error', 'no error']);
    const fields = { subject: manyContract.subject, fault: '/sum must be integer' };
    expect(log.lines).toContainEqual({ fields, message: 'the answer breaks its contract' });
  });

  it('a handler that throws fails its whole message with that error, and the next one is handled', async () => {
    const bus = await fixture.bus();
    let isDown = true;
    bus.serveBatch(manyContract, (commands) =>
      isDown
        ? Promise.reject(new AppError('service_unavailable'))
        : Promise.resolve(commands.map(() => ({ sum: 0 }))),
    );
    const send = bus.coalesce(manyContract);
    const outcomes = await Promise.all([1, 2].map((amount) => catchCode(send({ amount }))));
    expect(outcomes).toEqual(['service_unavailable', 'service_unavailable']);
    isDown = false;
    await expect(send({ amount: 1 })).resolves.toEqual({ sum: 0 });
  });

  it('a handler that leaves out a result gives no command a wrong reply', async () => {
    const bus = await fixture.bus();
    bus.serveBatch(manyContract, () => Promise.resolve([{ sum: 1 }]));
    const send = bus.coalesce(manyContract);
    const outcomes = await Promise.all([1, 2].map((amount) => catchCode(send({ amount }))));
    expect(outcomes).toEqual(['internal_error', 'internal_error']);
  });

  it('commands too large for one message go in several, and one too large for any is refused alone', async () => {
    const bus = await fixture.bus();
    const messages = echo(bus);
    const send = bus.coalesce(manyContract) as (c: { amount: number; note: string }) => Promise<unknown>;
    const note = 'x'.repeat(200 * 1024);
    const outcomes = await Promise.all(
      [note, note, note, note, note.repeat(3)].map((text, amount) => catchCode(send({ amount, note: text }))),
    );
    expect(outcomes).toEqual(['no error', 'no error', 'no error', 'no error', 'payload_too_large']);
    expect(messages.map((m) => m.length)).toEqual([2, 2]);
  });

  it('each command ends at its own deadline, not at that of the others', async () => {
    const bus = await fixture.bus();
    const end = signal();
    bus.serveBatch(manyContract, (commands) => end.seen.then(() => commands.map(() => ({ sum: 1 }))));
    const send = bus.coalesce(manyContract);
    const patient = send({ amount: 1 }, { deadline: Date.now() + 60_000 });
    expect(await catchCode(send({ amount: 2 }, { deadline: Date.now() + 50 }))).toBe('deadline_exceeded');
    end.fire();
    await expect(patient).resolves.toEqual({ sum: 1 });
  });

  it('a command that expired while waiting for its turn never reaches the handler', async () => {
    const bus = await fixture.bus();
    const [busy, end] = [signal(), signal()];
    const seen: number[] = [];
    bus.serveBatch(manyContract, async (commands) => {
      seen.push(...commands.map((c) => c.command.amount));
      busy.fire();
      await end.seen;
      return commands.map(() => ({ sum: 0 }));
    });
    const send = bus.coalesce(manyContract, { inFlight: 1 });
    const first = send({ amount: 1 });
    await busy.seen;
    const deadline = Date.now() + 30;
    expect(await catchCode(send({ amount: 2 }, { deadline }))).toBe('deadline_exceeded');
    await after(deadline);
    end.fire();
    await first;
    await send({ amount: 3 });
    expect(seen).toEqual([1, 3]);
  });

  it('commands beyond the queue are refused at once', async () => {
    const bus = await fixture.bus();
    const end = signal();
    bus.serveBatch(manyContract, (commands) => end.seen.then(() => commands.map(() => ({ sum: 0 }))));
    const send = bus.coalesce(manyContract, { maxQueued: 5, inFlight: 1, maxSize: 1 });
    const sent = Array.from({ length: 8 }, (_, amount) => send({ amount }));
    const refused = await Promise.any(
      sent.map((s) =>
        s.then(
          () => Promise.reject(new Error('answered')),
          (e: unknown) => e,
        ),
      ),
    );
    expect(refused).toMatchObject({ code: 'service_unavailable' });
    end.fire();
    await Promise.allSettled(sent);
  });
});
