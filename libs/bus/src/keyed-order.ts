/** Runs work of one key in sequence and different keys side by side; drops idle keys. */
export function keyedOrder(): (key: string, work: () => Promise<void>) => Promise<void> {
  const tails = new Map<string, Promise<void>>();
  return (key, work) => {
    const done = (tails.get(key) ?? Promise.resolve()).then(work);
    const tail = done
      .catch(() => undefined)
      .then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
    tails.set(key, tail);
    return done;
  };
}
