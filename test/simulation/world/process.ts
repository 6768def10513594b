import type { Owner, VirtualTime } from '../runtime/virtual-time.ts';
import type { Faults } from './faults.ts';

/** Each caller gets a promise of its own: one for all would keep every caller, and its world with it, for ever. */
const never = (): Promise<never> => new Promise(() => undefined);

/** One simulated process. After its death, none of its steps happens. */
export class Process implements Owner {
  isDead = false;
  skewMs = 0;
  readonly name: string;
  readonly #time: VirtualTime;
  readonly #faults: Faults;
  readonly #onDeath: (process: Process) => void;
  /** False for clients, which are not killed by chance. */
  readonly #isMortal: boolean;

  constructor(o: {
    name: string;
    time: VirtualTime;
    faults: Faults;
    isMortal: boolean;
    onDeath: (process: Process) => void;
  }) {
    this.name = o.name;
    this.#time = o.time;
    this.#faults = o.faults;
    this.#isMortal = o.isMortal;
    this.#onDeath = o.onDeath;
  }

  /** A step at which the process may die, after a delay; never resolves when it does. */
  step(delayMs: number): Promise<void> {
    if (this.isDead) return never();
    if (this.#isMortal && this.#faults.happens('processDies')) {
      this.kill();
      return never();
    }
    return delayMs > 0 ? this.#time.pause(delayMs, this) : Promise.resolve();
  }

  kill(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.#onDeath(this);
  }

  /** Lets this process go on in an event of its own. */
  resume(go: () => void): void {
    this.#time.after(0, this, go);
  }
}
