import type { Mode } from '@gp/contracts';
import { traceHeaders, type GatewayAccount, type Call } from '@gp/gateway';
import { Agent, request, type Dispatcher } from '@gp/bundled/undici';
import { traceHttpCall } from '@gp/telemetry';
import type { Credentials } from './credentials.ts';
import { openRelays, type Relays } from './relay.ts';

export type Addresses = {
  readonly processor: Readonly<Record<Mode, string>>;
  readonly relay: Readonly<Record<Mode, string>>;
  readonly relayCa?: string | undefined;
};

export type Reply = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/**
 * The processor's HTTP API. Rejects with the transport's error, or a SyntaxError when the response is not JSON.
 */
export type Processor = {
  get(path: string, account: GatewayAccount<Credentials>, call: Call): Promise<Reply>;
  post(path: string, body: object, account: GatewayAccount<Credentials>, call: Call): Promise<Reply>;
  /** Sends through the relay, which replaces the ciphertext by the card. */
  postThroughRelay(
    path: string,
    body: object,
    account: GatewayAccount<Credentials>,
    call: Call,
  ): Promise<Reply>;
};

/** No response of the processor is longer; a longer one does not come from the processor. */
const MAX_ANSWER_BYTES = 1_048_576;

export function openProcessor({ processor, relay, relayCa }: Addresses): Processor {
  const direct = new Agent({ maxResponseSize: MAX_ANSWER_BYTES });
  const relays: Relays = openRelays({ addresses: relay, ca: relayCa, maxResponseSize: MAX_ANSWER_BYTES });

  async function send(
    method: 'GET' | 'POST',
    path: string,
    o: { account: GatewayAccount<Credentials>; call: Call; dispatcher: Dispatcher; body?: object },
  ): Promise<Reply> {
    const { account, call, dispatcher, body } = o;
    const url = new URL(processor[account.mode] + path);
    const sendNow = (): Promise<Dispatcher.ResponseData> =>
      request(url, {
        method,
        dispatcher,
        signal: call.signal,
        headers: {
          authorization: `Bearer ${account.credentials.processor_secret_key}`,
          accept: 'application/json',
          ...traceHeaders(account.mode),
          ...(body && { 'content-type': 'application/json' }),
          ...(body && call.idempotencyKey !== '' && { 'cko-idempotency-key': call.idempotencyKey }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
    const response = await traceHttpCall({ method, url }, ({ statusCode }) => statusCode, sendNow);
    return { status: response.statusCode, body: readBody(await response.body.text()) };
  }

  return {
    get: (path, account, call) => send('GET', path, { account, call, dispatcher: direct }),
    post: (path, body, account, call) => send('POST', path, { account, call, dispatcher: direct, body }),
    postThroughRelay: (path, body, account, call) =>
      send('POST', path, { account, call, dispatcher: relays.of(account), body }),
  };
}

/** Parses a body. Some responses (401, 403, 404, 429) have none. Lists arrive under `items`. */
function readBody(text: string): Reply['body'] {
  if (text === '') return {};
  const value: unknown = JSON.parse(text);
  if (Array.isArray(value)) return { items: value };
  if (typeof value !== 'object' || value === null) throw new SyntaxError('the answer is no object');
  return value as Reply['body'];
}
