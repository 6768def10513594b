/** 0 closed, 1 half open, 2 open: the values of the metric. */
export type CircuitState = 0 | 1 | 2;

/** Permission for one call; `end` gets its result, or undefined when the call was not made. */
export type Passage = { end(isFailure: boolean | undefined): void };

export type Circuit = {
  state(): CircuitState;
  /** Returns undefined while calls are refused. */
  enter(): Passage | undefined;
  /** Refuses calls from now on, until one that may try succeeds. */
  open(): void;
};

/**
 * A circuit that is closed, open, or half open once `resetMs` have passed: then `trials` calls at once may try, the
 * first success closes it, and a failure opens it for another `resetMs`.
 *
 *     closed --open()--> open --resetMs--> half open --success--> closed
 *                         ^--------failure-----'
 */
export function newCircuit(o: {
  readonly resetMs: number;
  readonly trials: number;
  readonly now: () => number;
  readonly onChange: () => void;
}): Circuit {
  let opensAt: number | undefined;
  let trying = 0;

  const open = (): void => {
    opensAt = o.now() + o.resetMs;
    o.onChange();
  };
  const close = (): void => {
    opensAt = undefined;
    o.onChange();
  };
  const endTrial = (isFailure: boolean | undefined): void => {
    trying -= 1;
    // Another try has closed it meanwhile.
    if (opensAt === undefined) return;
    if (isFailure === true) open();
    else if (isFailure === false) close();
  };
  const state = (): CircuitState => (opensAt === undefined ? 0 : o.now() < opensAt ? 2 : 1);

  return {
    state,
    open,
    enter() {
      const current = state();
      if (current === 0) return { end: () => undefined };
      if (current === 2 || trying >= o.trials) return undefined;
      trying += 1;
      o.onChange();
      return { end: endTrial };
    },
  };
}
