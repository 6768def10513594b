import { openBus, type Bus } from '@gp/bus';
import { prepareIntent, putCredentials, type ClientData } from '@gp/contracts';
import { gatewayMigrations } from '@gp/gateway';
import { findManifest, listSandboxPorts } from '@gp/gateway-registry';
import { outboxMigrations } from '@gp/outbox';
import { freePort, testDatabase, testNats } from '@gp/testing';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { openLedger, type TestLedger, type Ticket } from './ledger.ts';
import { GOOD_CARD, type Payer } from './payers.ts';
import type { Subject } from './subjects.ts';
import { root, runProcess, type Running } from './processes.ts';
import { sandboxAt, type Sandbox } from './sandbox.ts';

export type World = {
  readonly subject: Subject;
  readonly bus: Bus;
  readonly ledger: TestLedger;
  readonly sandbox: Sandbox;
  readonly credentials: Readonly<Record<string, string>>;
  readonly databaseUrl: string;
  readonly callbackUrl: string;
  /** A payment without any outcome yet; the ledger has opened its page. */
  newPayment(amountMinor?: number): Ticket;
  /** Prepares as checkout does, again while the adapter is away. */
  prepare(ticket: Ticket): Promise<ClientData>;
  pay(
    ticket: Ticket,
    client: ClientData,
    card?: string,
    o?: { readonly returnUrl?: string },
  ): ReturnType<Payer>;
  /** Starts the adapter anew with other settings, for a crash or a breaker. */
  restartAdapter(env?: Readonly<Record<string, string>>): Promise<Running>;
  close(): Promise<void>;
};

const MERCHANT = 'merchant-1';

/** How long the adapter lets what it cannot see be invisible. */
export const SETTLE_WINDOW_MS = 2_500;

/** How long the adapter waits for its gateway with a patience of one. */
const CALL_TIMEOUT_MS = 1_000;
const PREPARE_TIMEOUT_MS = 2_500;

/** Short enough for a test, with the proportions of production. */
const QUICK = {
  LOG_LEVEL: 'info',
  LEASE_MS: '1000',
  SETTLE_WINDOW_MS: String(SETTLE_WINDOW_MS),
  ACCEPTED_WAIT_MS: '1000',
  // Faults come by the dozen here; breakers have a test of their own.
  BREAKER_VOLUME: '10000',
  ACCOUNT_CALLS_PER_SECOND: '1000',
};

/**
 * Real Postgres, real NATS, the real sandbox and the real adapter; only the ledger is a small one of ours. More
 * `patience` lengthens every wait for an answer: where all should go well, a busy machine must not look like a fault.
 */
export async function openWorld(subject: Subject, { patience }: { patience: number }): Promise<World> {
  const { psp, folder, payer } = subject;
  const [nats, database] = await Promise.all([
    testNats(),
    testDatabase({
      schemas: [
        { schema: psp, directories: [outboxMigrations, gatewayMigrations] },
        { schema: 'psp_sandbox', directories: [join(root, 'services/psp-sandbox/migrations')] },
      ],
    }),
  ]);
  const [main, callbacks, adapterMetrics, sandboxMetrics, ...others] = await freePorts(
    4 + listSandboxPorts().length,
  );
  const further = listSandboxPorts().map((port, index) => ({ ...port, number: others[index] ?? NaN }));
  const encryption = { ENCRYPTION_KEY: randomBytes(32).toString('base64') };
  const played = await runProcess({
    folder: 'services/psp-sandbox',
    metricsPort: sandboxMetrics,
    env: {
      ...encryption,
      CONTROL_FROM_LOOPBACK: '1',
      DATABASE_URL: database.url('psp_sandbox'),
      PORT: String(main),
      ...Object.fromEntries(further.map(({ setting, number }) => [setting, String(number)])),
    },
  });
  const local = (port: number): string => `http://127.0.0.1:${port}`;
  const sandbox = sandboxAt(local(main));
  const settings = Object.entries(findManifest(psp).sandbox.adapterSettings).map(([name, { port, path }]) => {
    const number = port === 'main' ? main : (further.find((one) => one.name === port)?.number ?? NaN);
    return [name, local(number) + path] as const;
  });
  const callbackUrl = `${local(callbacks)}/callbacks/${psp}`;

  const startAdapter = (env: Readonly<Record<string, string>> = {}): Promise<Running> =>
    runProcess({
      folder,
      metricsPort: adapterMetrics,
      env: {
        ...QUICK,
        CALL_TIMEOUT_MS: String(CALL_TIMEOUT_MS * patience),
        ...encryption,
        DATABASE_URL: database.url(psp),
        NATS_URL: nats.url,
        PORT: String(callbacks),
        ...Object.fromEntries(settings),
        ...env,
      },
    });
  let adapter = await startAdapter();

  const bus = await openBus({ servers: nats.url, name: 'conformance' });
  await bus.ensureStreams();
  const ledger = openLedger(bus, psp);
  const credentials = await sandbox.openAccount(psp, MERCHANT, callbackUrl);
  const { version } = await bus.call(putCredentials(psp), {
    merchant_id: MERCHANT,
    mode: 'test',
    credentials,
  });

  return {
    subject,
    bus,
    ledger,
    sandbox,
    credentials,
    callbackUrl,
    databaseUrl: database.url(psp),
    newPayment(amountMinor = 1_500) {
      const ticket: Ticket = {
        merchant_id: MERCHANT,
        mode: 'test',
        group_id: uuidv7(),
        intent_id: uuidv7(),
        attempt_id: uuidv7(),
        amount_minor: String(amountMinor),
        currency: 'EUR',
        credential_version: version,
        sandbox_fault: null,
        psp_reference: null,
      };
      ledger.open(ticket);
      return ticket;
    },
    async prepare(ticket) {
      const { psp_reference: _unknownYet, ...payment } = ticket;
      // Gateways that authorise from the server have no try yet.
      const attempt_id = subject.authorisesFrom === 'server' ? null : ticket.attempt_id;
      const request = { ...payment, attempt_id, seq: 1, description: 'Dinner' };
      const { client } = await bus.call(prepareIntent(psp), request, {
        timeoutMs: PREPARE_TIMEOUT_MS * patience,
      });
      return client;
    },
    pay: (ticket, client, card = GOOD_CARD, { returnUrl } = {}) =>
      payer({ sandbox, bus, ticket, client, card, patience, returnUrl }),
    async restartAdapter(env) {
      await adapter.stop();
      adapter = await startAdapter(env);
      return adapter;
    },
    async close() {
      await bus.close();
      await adapter.stop();
      await played.stop();
      await nats.stop();
      await database.drop();
    },
  };
}

async function freePorts(count: number): Promise<[number, number, number, number, ...number[]]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = await freePort();
    if (!ports.includes(port)) ports.push(port);
  }
  return ports as [number, number, number, number, ...number[]];
}
