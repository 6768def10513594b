import { publicEvents, type PublicEvent } from '@gp/contracts';
import { forEachGateway, pspCodes, type PspCode } from '@gp/gateway-registry';
import { wireAdapter } from '@gp/gateway';
import type { Db } from '@gp/pg';
import type { Service } from '@gp/service';
import { wireLedger } from '../../../services/group-ledger/src/wire.ts';
import { wireScheduler } from '../../../services/scheduler/src/wire.ts';
import { Broker } from '../bus/broker.ts';
import { connectBus } from '../bus/bus.ts';
import { Calls } from '../bus/calls.ts';
import { Callbacks } from '../gateways/callbacks.ts';
import { connectGateway } from '../gateways/gateway.ts';
import { RemoteGateway } from '../gateways/remote-gateway.ts';
import { VirtualTime } from '../runtime/virtual-time.ts';
import { Database } from '../store/database.ts';
import { gatewaySchema } from '../store/gateway.ts';
import { ledgerSchema } from '../store/ledger.ts';
import type { CommonTables } from '../store/outbox.ts';
import { schedulerSchema } from '../store/scheduler.ts';
import { Faults } from './faults.ts';
import { Journal } from './journal.ts';
import { drawPlan, type Plan } from './plan.ts';
import { Process } from './process.ts';
import { buildSimulatedService } from './service.ts';
import { adapterSettings, ledgerSettings, schedulerSettings } from './settings.ts';

export type RunOptions = {
  readonly keepsLog?: boolean;
};

/** What the databases of all services have in common. */
type CommonDatabase = Pick<Database<unknown>, 'skewMs' | 'forget' | 'noteDue'> & {
  readonly tables: CommonTables;
};

const OWNER = { name: 'the world', isDead: false, skewMs: 0 };

/** One simulated world: the real services of the platform among simulated databases, gateways and a simulated bus. */
export class World {
  readonly seed: number;
  readonly plan: Plan;
  readonly time: VirtualTime;
  readonly faults: Faults;
  readonly journal: Journal;
  /** Where events happen that belong to no process of ours: on the network, at the gateways. */
  readonly outside: Process;
  /** Payers, merchants and operators: they call over the bus as the edge does, and are never killed. */
  readonly people: Process;
  readonly broker: Broker;
  readonly calls: Calls;
  readonly ledger: Database<ReturnType<typeof ledgerSchema.open>>;
  readonly scheduler: Database<ReturnType<typeof schedulerSchema.open>>;
  readonly adapters: Readonly<Record<PspCode, Database<ReturnType<typeof gatewaySchema.open>>>>;
  readonly gateways: Readonly<Record<PspCode, RemoteGateway>>;
  readonly callbacks: Readonly<Record<PspCode, Callbacks>>;
  readonly processes: Process[] = [];
  /** How often each public event was delivered. */
  readonly heard = new Map<string, number>();
  readonly #restarts = new Map<Process, () => void>();

  constructor(seed: number, { keepsLog = false }: RunOptions) {
    this.journal = new Journal(keepsLog);
    this.seed = seed;
    const time = new VirtualTime(seed, OWNER);
    const { random } = time;
    this.time = time;
    this.plan = drawPlan(random);
    const faults = new Faults(random.fork(), this.plan.troubles);
    faults.isHealed = true;
    this.faults = faults;
    const base = { time, faults, isMortal: false, onDeath: () => undefined };
    this.outside = new Process({ name: 'outside', ...base });
    this.people = new Process({ name: 'people', ...base });
    const world = this.outside;
    this.broker = new Broker(time, faults, world);
    this.calls = new Calls(time, faults);
    this.ledger = new Database(ledgerSchema, time, this.journal);
    this.scheduler = new Database(schedulerSchema, time, this.journal);
    this.adapters = forEachGateway(() => new Database(gatewaySchema, time, this.journal));
    const listSecrets = (psp: PspCode) => (account: string, mode: string) =>
      this.#listSecrets(psp, account, mode);
    this.callbacks = forEachGateway(
      (_m, psp) => new Callbacks({ time, faults, world, listSecrets: listSecrets(psp) }),
    );
    this.gateways = forEachGateway(
      (_m, psp): RemoteGateway =>
        new RemoteGateway({
          ...{ psp, time, faults, world, random: random.fork() },
          tell: (news) => this.callbacks[psp].tell(this.gateways[psp], news),
        }),
    );
  }

  get databases(): readonly CommonDatabase[] {
    const adapters = pspCodes.map((psp) => this.adapters[psp]);
    return [this.ledger, this.scheduler, ...adapters];
  }

  /** Starts every service, with its replicas. */
  startServices(): void {
    for (let replica = 0; replica < this.plan.replicas; replica++) {
      this.#start(
        'group-ledger',
        this.ledger,
        (service, parts) => wireLedger(service, parts),
        ledgerSettings,
      );
      this.#start(
        'scheduler',
        this.scheduler,
        (service, parts) => wireScheduler(service, parts),
        schedulerSettings,
      );
      for (const psp of pspCodes) this.#startAdapter(psp);
    }
  }

  /** The bus loses everything that it has, and its streams are created anew. */
  loseStreams(): void {
    this.broker.forget();
    for (const database of this.databases) {
      database.tables.streams.areLost = true;
      database.noteDue('outbox-relay');
    }
  }

  /** Stands for the service that sends webhooks. */
  listenToEvents(): void {
    const heard = (id: string): void => void this.heard.set(id, (this.heard.get(id) ?? 0) + 1);
    this.broker.consume(this.people, {
      ...{
        durable: 'webhooks',
        stream: publicEvents.stream,
        filters: publicEvents.filters,
        maxInFlight: 100,
      },
      handler: async ({ payload }) => heard((payload as PublicEvent).id),
      onDead: () => Promise.resolve(),
    });
  }

  #startAdapter(psp: PspCode): void {
    const wire = (service: Service<typeof adapterSettings>, parts: Parts, process: Process): void => {
      const { time, faults, outside: world } = this;
      const gateway = connectGateway(this.gateways[psp], { process, world, time, faults });
      void wireAdapter(service, gateway, parts);
    };
    this.#start(psp, this.adapters[psp], wire, adapterSettings);
  }

  #start<C, T>(
    name: string,
    database: Database<T>,
    wire: (service: Service<C>, parts: Parts, process: Process) => void,
    config: C,
  ): void {
    const { time, faults } = this;
    const process = new Process({ name, time, faults, isMortal: true, onDeath: (dead) => this.#bury(dead) });
    process.skewMs = time.random.between(-1_000, 1_000);
    this.processes.push(process);
    this.#restarts.set(process, () => this.#start(name, database, wire, config));
    time.after(0, process, () => {
      const service = buildSimulatedService({
        ...{ process, time, config, log: this.journal.log },
        database,
        onRoutes: (routes) => this.callbacks[name as PspCode].listen({ process, routes }),
      });
      wire(
        service,
        { db: database.connect(process, faults), bus: connectBus(process, this.broker, this.calls) },
        process,
      );
    });
  }

  #bury(process: Process): void {
    this.faults.note('processDied');
    this.broker.leave(process);
    this.calls.leave(process);
    for (const database of this.databases) database.forget(process);
    this.processes.splice(this.processes.indexOf(process), 1);
    const restart = this.#restarts.get(process);
    this.#restarts.delete(process);
    if (restart) this.time.after(this.time.random.between(200, 10_000), this.outside, restart);
  }

  #listSecrets(psp: PspCode, account: string, mode: string): readonly string[] {
    const secrets = this.plan.merchants.flatMap(({ connections }) =>
      connections
        .filter((one) => one.psp === psp && one.account === account && one.mode === mode)
        .map(({ secret }) => secret),
    );
    return [...new Set(secrets)];
  }
}

type Parts = { readonly db: Db; readonly bus: ReturnType<typeof connectBus> };
