/** Runs work and calls `renew` at intervals until it is over; a renewal that fails is only missed. */
export async function keepAlive<T>(
  everyMs: number,
  renew: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  const renewal = setInterval(() => void renew().catch(() => undefined), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
  }
}
