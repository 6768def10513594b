import { AppError } from '@gp/errors';
import type { Db, Queryable } from '@gp/pg';
import type { Faults } from '../world/faults.ts';
import type { Journal } from '../world/journal.ts';
import type { Process } from '../world/process.ts';
import type { VirtualTime } from '../runtime/virtual-time.ts';
import type { Moment, Schema } from './schema.ts';
import { ConstraintViolation, type Undoing, type UndoLog } from './table.ts';

type NamedStatement = { readonly name: string; readonly text: string };
type Transaction = { readonly process: Process; readonly log: UndoLog };

/**
 * The database of one service. Each statement is atomic; a transaction keeps all others out until it ends, so isolation is
 * stronger than that of the real server, where statements outside see the rows that a transaction has not locked.
 */
export class Database<Tables> {
  readonly tables: Tables;
  /** How far the server's clock is ahead of the true time, ms. */
  skewMs = 0;
  readonly #schema: Schema<Tables>;
  readonly #time: VirtualTime;
  readonly #journal: Pick<Journal, 'faults'>;
  readonly #undoing: Undoing = { log: [] };
  readonly #waiting: (() => void)[] = [];
  readonly #listeners = new Set<(loop: string, atMs: number) => void>();
  readonly #leaders = new Map<string, Process>();
  readonly #moment: Moment & { nowMs: number };
  #open: Transaction | undefined;

  constructor(schema: Schema<Tables>, time: VirtualTime, journal: Pick<Journal, 'faults'>) {
    this.#journal = journal;
    this.#schema = schema;
    this.#time = time;
    this.tables = schema.open(this.#undoing);
    // The server's clock is read in whole milliseconds here, as the columns of the ledger keep them.
    this.#moment = { nowMs: 0, dueAt: (loop, atMs) => this.#tell(loop, atMs - this.skewMs) };
  }

  /** Called with each instant at which a loop will have work. */
  onDue(listener: (loop: string, atMs: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether the tables say when this loop has work; other loops are housekeeping, which is not simulated. */
  hasWorkFor(loop: string): boolean {
    return this.#schema.nextDue[loop] !== undefined;
  }

  /** When a loop has work next, in true time. */
  nextDue(loop: string): number | undefined {
    const due = this.#schema.nextDue[loop]?.(this.tables, this.#time.nowMs + this.skewMs);
    return due === undefined ? undefined : due - this.skewMs;
  }

  /** Tells that a loop has work now, for a reason outside the tables' statements. */
  noteDue(loop: string): void {
    this.#tell(loop, this.#time.nowMs);
  }

  /** Ends what a process that died has left open. */
  forget(process: Process): void {
    if (this.#open?.process === process) this.#rollBack();
    for (const [purpose, leader] of this.#leaders) if (leader === process) this.#endLead(purpose);
  }

  /** Whether another process leads this loop, whose passes find nothing here until the lead ends. */
  isStandby(process: Process, loop: string): boolean {
    const leader = this.#leaders.get(loop);
    return leader !== undefined && leader !== process;
  }

  #endLead(purpose: string): void {
    this.#leaders.delete(purpose);
    this.noteDue(purpose);
  }

  /** The database as a process sees it. */
  connect(process: Process, faults: Faults): Db {
    const query: Queryable['query'] = async <Row>(
      statement: NamedStatement,
      values: readonly unknown[] = [],
    ) => {
      await this.#reach(process, faults);
      if (process.isDead) return never();
      const rows = this.#autocommit<Row>(process, statement, values);
      await this.#answer(process, faults);
      return rows;
    };
    return {
      query,
      transaction: (work) => this.#transaction(process, faults, work),
      leadership: (purpose) => ({
        claim: async () => {
          await this.#reach(process, faults);
          if (!this.#leaders.has(purpose)) this.#leaders.set(purpose, process);
          return this.#leaders.get(purpose) === process;
        },
        isHeld: () => this.#leaders.get(purpose) === process,
        // Of a simulated service one process runs, which leads.
        call: () => Promise.resolve(),
        onCall: () => undefined,
        query,
        release: () => Promise.resolve(this.#endLead(purpose)),
      }),
      ping: () => this.#reach(process, faults),
      close: () => Promise.resolve(),
      get pool(): never {
        throw new Error('a simulated database has no pool');
      },
    };
  }

  /** Resolves when a statement has reached the server and no other transaction is open. */
  async #reach(process: Process, faults: Faults): Promise<void> {
    await process.step(faults.databaseDelayMs());
    if (faults.losesStatement()) throw away('the connection was lost before the statement');
    while (this.#open) {
      await new Promise<void>((resolve) => this.#waiting.push(() => process.resume(resolve)));
    }
  }

  async #answer(process: Process, faults: Faults): Promise<void> {
    await process.step(0);
    if (faults.losesCommitAnswer()) throw away('the connection was lost after the commit');
  }

  #autocommit<Row>(process: Process, statement: NamedStatement, values: readonly unknown[]): Row[] {
    this.#open = { process, log: this.#begin() };
    try {
      const rows = this.#execute<Row>(statement, values);
      this.#commit();
      return rows;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  async #transaction<T>(process: Process, faults: Faults, work: (tx: Queryable) => Promise<T>): Promise<T> {
    await this.#reach(process, faults);
    if (process.isDead) return never();
    const own = { process, log: this.#begin() };
    this.#open = own;
    try {
      const result = await work({
        query: async <Row>(statement: NamedStatement, values: readonly unknown[] = []) => {
          await process.step(faults.databaseDelayMs());
          if (process.isDead) return never();
          return this.#execute<Row>(statement, values);
        },
      });
      await process.step(0);
      if (process.isDead) return await never();
      if (faults.losesStatement()) throw away('the commit failed');
      this.#commit();
      await this.#answer(process, faults);
      return result;
    } catch (error) {
      if (this.#open === own) this.#rollBack();
      throw error;
    }
  }

  #begin(): UndoLog {
    this.#undoing.log = [];
    return this.#undoing.log;
  }

  #execute<Row>(statement: NamedStatement, values: readonly unknown[]): Row[] {
    const { name } = statement;
    if (name === '') return [];
    const handler = this.#schema.handlers[name];
    if (!handler) throw this.#fault(`the simulated database does not know the statement ${name}`);
    this.#moment.nowMs = Math.floor(this.#time.nowMs + this.skewMs);
    const mark = this.#undoing.log.length;
    try {
      return handler(this.tables, values, this.#moment) as Row[];
    } catch (error) {
      if (!(error instanceof ConstraintViolation)) throw this.#fault(`${name}: ${String(error)}`);
      for (const undo of this.#undoing.log.splice(mark).reverse()) undo();
      throw error;
    }
  }

  #fault(text: string): Error {
    this.#journal.faults.push(text);
    return new Error(text);
  }

  #commit(): void {
    this.#undoing.log = [];
    this.#end();
  }

  #rollBack(): void {
    for (const undo of this.#undoing.log.reverse()) undo();
    this.#undoing.log = [];
    this.#end();
  }

  #end(): void {
    this.#open = undefined;
    for (const go of this.#waiting.splice(0)) go();
  }

  #tell(loop: string, atMs: number): void {
    for (const listener of this.#listeners) listener(loop, atMs);
  }
}

/**
 * What a dead process waits for. One step of a process may kill it while another of the same instant is on its way to the
 * database: that one must not open a transaction, which nobody would end.
 */
const never = <T>(): Promise<T> => new Promise(() => undefined);

const away = (reason: string): AppError =>
  new AppError('service_unavailable', {}, { cause: new Error(reason) });
