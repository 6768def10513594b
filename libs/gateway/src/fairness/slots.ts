export type Slots = {
  /** Resolves with the function that frees the slot again, in the order of the calls. */
  take(): Promise<() => void>;
};

/** At most `size` slots are taken at once. */
export function openSlots(size: number): Slots {
  const waiting: (() => void)[] = [];
  let free = size;
  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return {
    async take() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return release;
    },
  };
}
