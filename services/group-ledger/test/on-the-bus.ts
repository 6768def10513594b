import { openBus, type Bus, type Closable } from '@gp/bus';
import { outboxRelay } from '@gp/outbox';
import { testNats } from '@gp/testing';
import type { LedgerParts } from '../src/app/change/change-group.ts';
import { answerCalls } from '../src/bus/answers.ts';
import { publishChanges } from '../src/bus/publish-changes.ts';
import { subscriptions } from '../src/bus/subscriptions.ts';
import { openReplica } from './harness.ts';

/**
 * The ledger wired to a NATS server of its own as `main.ts` wires it, and a caller with a connection of theirs. Failed
 * messages come again at once, so that their tenth try is near.
 */
export async function openOnTheBus(databaseUrl: string, o: Partial<LedgerParts> = {}) {
  const nats = await testNats();
  const bus = await openBus({ servers: nats.url, name: 'group-ledger' });
  const caller = await openBus({ servers: nats.url, name: 'caller' });
  await bus.ensureStreams();
  let wake: () => void = () => undefined;
  const replica = await openReplica(databaseUrl, {
    wakeRelay: () => wake(),
    publishChange: publishChanges(bus),
    ...o,
  });
  const log = { info: () => undefined, warn: () => undefined };
  const relay = outboxRelay({ db: replica.db, bus, log });
  const relaying = repeat(relay.runOnce.bind(relay));
  wake = relaying.wake;

  answerCalls(buildServiceFrame(), bus, replica.parts);
  const consumers: Closable[] = subscriptions(replica.parts).map((options) =>
    bus.consume({ ...options, retryMs: [1, 5] }),
  );
  return {
    ...replica,
    nats,
    caller,
    async close() {
      await Promise.all(consumers.map((consumer) => consumer.close()));
      await relaying.close();
      await Promise.all([caller.close(), bus.close()]);
      await replica.db.close();
      await nats.stop();
    },
  };
}

/** The frame of a service, without its logs and counts. */
function buildServiceFrame(): Parameters<typeof answerCalls>[0] {
  return {
    serve: (on: Bus, contract, handler, options) => void on.serve(contract, handler, options),
    serveBatch: (on: Bus, contract, handler, options) => void on.serveBatch(contract, handler, options),
  };
}

function repeat(runOnce: (signal: AbortSignal) => Promise<'busy' | 'idle' | 'empty'>) {
  const stopping = new AbortController();
  let woken = Promise.withResolvers<void>();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      woken = Promise.withResolvers<void>();
      const result = await runOnce(stopping.signal).catch(() => 'busy' as const);
      if (result !== 'busy' && !stopping.signal.aborted) await woken.promise;
    }
  })();
  return {
    wake: () => woken.resolve(),
    close() {
      stopping.abort();
      woken.resolve();
      return running;
    },
  };
}
