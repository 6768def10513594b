import type { IncomingMessage } from 'node:http';
import { AppError } from '@gp/errors';
import { findJsonFault } from './json-fault.ts';
import { hasRepeatedName } from './repeated-name.ts';
import type { HttpRequest } from './types.ts';

// The bytes of an oversized body that are still read and discarded, so that the client receives its 413: a
// socket closed on unread data is reset, and the response is lost with it.
const lingerBytes = 1024 * 1024;

const jsonType = /^application\/json\s*(?:;|$)/i;
const foreignCharset = /;\s*charset=(?!"?utf-8"?\s*(?:;|$))/i;

/**
 * Resolves with the whole body as received. Throws `payload_too_large` as soon as it is known to exceed
 * `limitBytes`, `unsupported_media_type` for compressed bodies and, with `jsonOnly`, for any body that is not
 * UTF-8 JSON.
 */
export async function readBody(
  request: IncomingMessage,
  o: { limitBytes: number; jsonOnly: boolean },
): Promise<Buffer> {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = request.headers;
  const body = await collect(request, o.limitBytes);
  if (body.length === 0) return body;
  const isJson = jsonType.test(type) && !foreignCharset.test(type);
  if (encoding.toLowerCase() !== 'identity' || (o.jsonOnly && !isJson)) {
    throw new AppError('unsupported_media_type');
  }
  return body;
}

function collect(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(new AppError('malformed_request'));
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = (): void => {
      chunks.length = 0;
      reject(new AppError('payload_too_large', { message: `the body must be at most ${limitBytes} bytes` }));
    };
    if (Number(request.headers['content-length']) > limitBytes) refuse();
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limitBytes) return void chunks.push(chunk);
      refuse();
      if (size > limitBytes + lingerBytes) request.socket.destroy();
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    // Also the end of an aborted upload; no client reads the response, but it is logged.
    request.once('close', () => {
      if (!request.readableEnded) reject(new AppError('malformed_request'));
    });
    request.once('error', (cause) => reject(new AppError('malformed_request', {}, { cause })));
  });
}

/**
 * Reads the body as JSON, undefined when there is none. `parse` may be an exact or stricter parser; every error
 * it throws that is no AppError becomes `invalid_json`, as do bytes that are not UTF-8 and an object that has a name twice.
 */
export function readJson(
  request: Pick<HttpRequest, 'rawBody'>,
  parse: (text: string) => unknown = JSON.parse,
): unknown {
  if (request.rawBody.length === 0) return undefined;
  const { text, value } = parseText(request.rawBody, parse);
  if (hasRepeatedName(text))
    throw new AppError('invalid_json', { message: 'the body has an object with the same name twice' });
  return value;
}

function parseText(bytes: Buffer, parse: (text: string) => unknown): { text: string; value: unknown } {
  const text = decodeText(bytes);
  try {
    return { text, value: parse(text) };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const fault = findJsonFault(text);
    const hint = fault && `it stops being JSON in line ${fault.line}, column ${fault.column}`;
    throw new AppError('invalid_json', { ...(hint !== undefined && { hint }) }, { cause });
  }
}

function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('invalid_json', { hint: 'its bytes are not UTF-8' }, { cause });
  }
}
