import type { Mode } from '@gp/contracts';
import { traceHeaders, type GatewayAccount, type Call } from '@gp/gateway';
import { Agent, request, type Dispatcher } from '@gp/bundled/undici';
import { traceHttpCall } from '@gp/telemetry';
import type { Credentials } from './credentials.ts';
import { isSignatureVersion, sign, type SignatureVersion } from './signature.ts';
import type { Parameters } from './wire.ts';

export type Reply = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/** The gateway's HTTP API. Rejects with the transport's error, or a SyntaxError when the response is not JSON. */
export type Terminal = {
  /** Confirms or cancels. */
  operate(parameters: Parameters, account: GatewayAccount<Credentials>, call: Call): Promise<Reply>;
  /** Queries all operations on an order. */
  lookUp(parameters: Parameters, account: GatewayAccount<Credentials>, call: Call): Promise<Reply>;
  /** Returns the address to which payers' browsers post the order form. */
  formAddress(mode: Mode): string;
};

/** No response of the gateway is longer; a longer one does not come from the gateway. */
const MAX_ANSWER_BYTES = 1_048_576;

export function openTerminal(urls: Readonly<Record<Mode, string>>): Terminal {
  const dispatcher = new Agent({ maxResponseSize: MAX_ANSWER_BYTES });
  const base = (mode: Mode): string => urls[mode].replace(/\/$/, '');

  async function post(
    path: string,
    parameters: Parameters,
    { mode, credentials }: GatewayAccount<Credentials>,
    { signal }: Call,
  ): Promise<Reply> {
    const order = parameters['DS_MERCHANT_ORDER'] ?? '';
    const signed = sign(parseSignatureVersion(credentials), credentials.secret_key, order, parameters);
    const url = new URL(base(mode) + path);
    const send = (): Promise<Dispatcher.ResponseData> =>
      request(url, {
        method: 'POST',
        dispatcher,
        signal,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...traceHeaders(mode),
        },
        body: JSON.stringify(signed),
      });
    const response = await traceHttpCall({ method: 'POST', url }, ({ statusCode }) => statusCode, send);
    return { status: response.statusCode, body: readBody(await response.body.text()) };
  }

  return {
    operate: (parameters, account, call) => post('/rest/trataPeticionREST', parameters, account, call),
    lookUp: (parameters, account, call) => post('/rest/consultaOperacionesREST', parameters, account, call),
    formAddress: (mode) => `${base(mode)}/realizarPago`,
  };
}

export const parseSignatureVersion = ({ signature_version }: Credentials): SignatureVersion =>
  isSignatureVersion(signature_version) ? signature_version : 'HMAC_SHA256_V1';

/** Parses a body. Refusals by the web server in front of the gateway may have none. */
function readBody(text: string): Reply['body'] {
  if (text === '') return {};
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SyntaxError('the answer is no object');
  return value as Reply['body'];
}
