import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { batchRpc, rpc } from '@gp/contracts';
import { eventually, testNats, type OwnServer } from '@gp/testing';
import Type from '@gp/bundled/typebox';
import { openBus, type Bus, type BusLog, type BusOptions } from '../src/index.ts';

const Amount = Type.Object({ amount: Type.Integer({ minimum: 0 }) });
const Sum = Type.Object({ sum: Type.Integer() });

export const addContract = rpc('rpc.ledger.sums.add.v1', { request: Amount, response: Sum });
export const manyContract = batchRpc('rpc.ledger.sums.add-many.v1', { command: Amount, response: Sum });

export type Fixture = {
  readonly nats: OwnServer;
  /** A bus of its own, connected and patient, closed after the test. */
  bus(o?: Partial<BusOptions>): Promise<Bus>;
};

/** One NATS server for the test file, fresh buses for every test. */
export function natsFixture(): Fixture {
  const open: Bus[] = [];
  let nats: OwnServer;
  beforeAll(async () => {
    nats = await testNats();
  });
  afterEach(async () => {
    releaseSignals();
    await Promise.all(open.splice(0).map((bus) => bus.close()));
  });
  afterAll(() => nats.stop());
  return {
    get nats() {
      return nats;
    },
    async bus(o = {}) {
      const bus = await openBus({ servers: nats.url, name: 'test', ...o });
      open.push(bus);
      await eventually(() => bus.isConnected() || undefined);
      return patient(bus);
    },
  };
}

/**
 * The same bus, but its calls wait for a minute unless set otherwise: the usual five seconds may be over on a
 * busy machine.
 */
export function patient(bus: Bus): Bus {
  return {
    ...bus,
    call: (contract, request, o = {}) =>
      bus.call(contract, request, o.deadline === undefined ? { timeoutMs: 60_000, ...o } : o),
    coalesce(contract, how) {
      const send = bus.coalesce(contract, how);
      return (command, at) => send(command, { deadline: Date.now() + 60_000, ...at });
    },
  };
}

export type Signal = { readonly seen: Promise<void>; fire(): void };

const signals: Signal[] = [];

/** A signal between a test and the code it drives. */
export function signal(): Signal {
  const { promise, resolve } = Promise.withResolvers<void>();
  const made = { seen: promise, fire: resolve };
  signals.push(made);
  return made;
}

/**
 * Releases every signal at the end of a test: a bus waits for its handlers, and a failed test left them waiting.
 */
export function releaseSignals(): void {
  for (const { fire } of signals.splice(0)) fire();
}

/** Resolves after `n` calls of `tick`; `told` is the count so far. */
export function counter(n: number): { readonly reached: Promise<void>; tick(): void; told(): number } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let told = 0;
  return {
    reached: promise,
    told: () => told,
    tick() {
      if (++told === n) resolve();
    },
  };
}

export function recordingLog(): BusLog & { readonly lines: { fields: object; message: string }[] } {
  const lines: { fields: object; message: string }[] = [];
  const keep = (fields: object, message: string): void => void lines.push({ fields, message });
  return { lines, warn: keep, error: keep };
}

/** Waits until after that instant (epoch ms): a timer may fire a millisecond before the clock reaches it. */
export const after = (instant: number): Promise<true> =>
  eventually(() => (Date.now() > instant ? true : undefined));

/** The code an operation was refused with. */
export async function catchCode(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (e) {
    return (e as { code?: unknown }).code ?? e;
  }
  return 'no error';
}
