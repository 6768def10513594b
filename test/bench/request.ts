const GIVE_UP_AFTER_MS = 180_000;

/** Asks a program of `peers/`; returns its answer, which is JSON or empty. Throws for an answer that is not a 2xx. */
export async function request(url: string, method: 'GET' | 'POST' | 'DELETE'): Promise<unknown> {
  const answer = await fetch(url, { method, signal: AbortSignal.timeout(GIVE_UP_AFTER_MS) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${text}`);
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}
