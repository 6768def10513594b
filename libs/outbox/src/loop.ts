/**
 * What a pass found. `busy`: there may be more to do at once. `idle`: something may fall due by itself. `empty`: nothing
 * waits, so that the runner may rest.
 */
export type PassResult = 'busy' | 'idle' | 'empty';

/** The shape of every background worker, which the runner repeats. */
export type Loop = {
  readonly name: string;
  /** Pause after an idle pass, ms; after an empty one, the first of pauses that grow. */
  readonly idleMs: number;
  runOnce(signal: AbortSignal): Promise<PassResult>;
  /** Receives a function that ends the pause, within so many ms or at once. */
  onWake?(wake: (withinMs?: number) => void): void;
};
