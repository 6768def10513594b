/** The shape of every background worker: a pass tells whether more is waiting, the runner does the rest. */
export type Loop = {
  readonly name: string;
  /** Pause after an idle pass, ms. */
  readonly idleMs: number;
  runOnce(signal: AbortSignal): Promise<'idle' | 'busy'>;
  /** Given a function that ends the pause early. */
  onWake?(wake: () => void): void;
};
