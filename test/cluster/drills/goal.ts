/** What a drill may cost: failed requests at most, and the longest time without a success, ms. */
export type Goal = {
  readonly failures: number;
  readonly stallMs: number;
  /** How long requests may fail after the last step of the drill's remedy, ms. */
  readonly afterMendedMs?: number;
};

/** What a drill says of itself when it is done. */
export type Done = {
  /** When the last step of its remedy was done, ms since 1970, where a person has to act. */
  readonly mendedAt?: number;
  /** A sentence for each thing that the drill itself found wrong. */
  readonly faults?: readonly string[];
  /** What it measured that other drills do not, in half a sentence. */
  readonly told?: string;
};
