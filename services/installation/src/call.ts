const CALL_MS = 30_000;

/** The result of a call: its body, and the cookies that were set, in the form of a `Cookie` header. */
export type PublicReply<T> = { readonly body: T; readonly cookie: string };

/** Sends JSON and parses the JSON response. Throws with the response's text when its status is not a success. */
export async function call<T>(
  method: string,
  url: string,
  body?: Readonly<Record<string, unknown>>,
  headers: Record<string, string> = {},
): Promise<PublicReply<T>> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(CALL_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]);
  return { body: (text === '' ? {} : JSON.parse(text)) as T, cookie: cookies.join('; ') };
}
