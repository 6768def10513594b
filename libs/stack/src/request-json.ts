import { setTimeout as delay } from 'node:timers/promises';

/**
 * Statuses of a busy machine, while a whole stack starts: the request came too late, or its callee could not serve
 * it.
 */
const NOTHING_DONE = new Set([408, 503]);
const BUSY_WITHIN_MS = 60_000;
const ASK_AGAIN_MS = 250;

/**
 * Sends JSON and reads JSON, and repeats the request while the status says that nothing was done; throws with the
 * response's text when the status is not 2xx.
 */
export async function requestJson(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ body: Record<string, unknown>; cookie: string }> {
  for (const until = Date.now() + BUSY_WITHIN_MS; ; await delay(ASK_AGAIN_MS)) {
    const response = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (NOTHING_DONE.has(response.status) && Date.now() < until) continue;
    if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
    const cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    return { body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>), cookie };
  }
}
