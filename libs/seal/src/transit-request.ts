import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';

export type TransitReply = Readonly<Record<string, unknown>>;

/** A request that did not succeed. Another try of a passing fault may. */
export class TransitFault extends Error {
  readonly isPassing: boolean;
  constructor(message: string, o: { isPassing?: boolean; cause?: unknown } = {}) {
    super(message, { cause: o.cause });
    this.isPassing = o.isPassing ?? false;
  }
}

const TIMEOUT_MS = 5_000;
/** An answer has some hundred bytes. */
const LONGEST_ANSWER = 64 * 1024;
const LONGEST_REASON = 200;
/** Statuses of a server that is not the active one, is overloaded, is not initialised, or is sealed. */
const PASSING = new Set([412, 429, 472, 473]);

/** Posts JSON and returns the JSON of a success; rejects with TransitFault for everything else. */
export async function postJson(
  url: URL,
  body: object,
  o: { readonly ca?: Buffer | undefined; readonly token?: string | undefined },
): Promise<TransitReply> {
  const { status, text } = await exchange(url, JSON.stringify(body), o);
  const answer = parse(text);
  if (status < 200 || status >= 300)
    throw new TransitFault(`answered ${status}${reasonOf(answer)}`, {
      isPassing: status >= 500 || PASSING.has(status),
    });
  if (!answer) throw new TransitFault('answered without JSON');
  return answer;
}

function exchange(
  url: URL,
  payload: string,
  { ca, token }: { readonly ca?: Buffer | undefined; readonly token?: string | undefined },
): Promise<{ status: number; text: string }> {
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(payload),
    ...(token !== undefined && { 'x-vault-token': token }),
  };
  const options = { method: 'POST', headers, signal: AbortSignal.timeout(TIMEOUT_MS), agent: false } as const;
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => reject(new TransitFault(nameCause(cause), { isPassing: true, cause }));
    const take = (response: IncomingMessage) =>
      void readAnswer(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), fail);
    const sent =
      url.protocol === 'https:'
        ? requestSecure(url, { ...options, ca }, take)
        : requestPlain(url, options, take);
    sent.on('error', fail);
    sent.end(payload);
  });
}

async function readAnswer(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LONGEST_ANSWER) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function nameCause(error: Error): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return `no answer within ${TIMEOUT_MS} ms`;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.message;
}

function parse(text: string): TransitReply | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as TransitReply) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the server's own reason, shortened and on one line. */
function reasonOf(answer: TransitReply | undefined): string {
  const errors = answer?.['errors'];
  if (!Array.isArray(errors) || errors.length === 0) return '';
  return `: ${errors.join('; ').replace(/\s+/g, ' ').slice(0, LONGEST_REASON)}`;
}
