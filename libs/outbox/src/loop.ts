/** The shape of every background worker: a pass returns whether more is waiting, and the runner repeats it. */
export type Loop = {
  readonly name: string;
  /** Pause after an idle pass, ms. */
  readonly idleMs: number;
  runOnce(signal: AbortSignal): Promise<'idle' | 'busy'>;
  /** Receives a function that ends the pause early. */
  onWake?(wake: () => void): void;
};
