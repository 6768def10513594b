/** Runs work of one key one after the other, in the order of the calls; different keys run side by side. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Makes the writers of one group in this process wait for each other instead of racing for the version check and
 * losing. It only saves work: the check in the database is what keeps writers apart.
 */
export function takingTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    last.set(key, settled);
    void settled.then(() => {
      if (last.get(key) === settled) last.delete(key);
    });
    return turn;
  };
}
