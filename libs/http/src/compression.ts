import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { HttpHead, HttpResponse } from './types.ts';

/** Bytes as they are, and compressed for clients that accept it. */
export type Compressible = { readonly plain: Buffer; readonly br?: Buffer; readonly gzip?: Buffer };

/** Shorter texts cost a client nothing that it would notice. */
const LEAST_BYTES = 1_000;
/** For what is compressed once and sent often, and for what is compressed for one answer. */
const BEST_QUALITY = 9;
const FAST_QUALITY = 5;

/** Reads a file, with its compressed forms `<path>.br` and `<path>.gz` where the build has written them. */
export async function readCompressible(path: string): Promise<Compressible> {
  const other = (ending: string): Promise<Buffer | undefined> =>
    readFile(path + ending).catch(() => undefined);
  const [plain, br, gz] = await Promise.all([readFile(path), other('.br'), other('.gz')]);
  return { plain, ...(br && { br }), ...(gz && { gzip: gz }) };
}

/** Returns true for a file that `readCompressible` reads with another one. */
export const isCompressedForm = (name: string): boolean => /\.(?:br|gz)$/.test(name);

/** Compresses a text that is sent to many clients. */
export async function compress(text: string | Buffer): Promise<Required<Compressible>> {
  const plain = Buffer.from(text);
  const [br, zipped] = await Promise.all([brotli(plain, BEST_QUALITY), promisify(gzip)(plain, { level: 9 })]);
  return { plain, br, gzip: zipped };
}

/** Returns the response with the bytes in the best encoding that the client accepts. */
export function answerCompressed(
  head: Pick<HttpHead, 'headers'>,
  response: Omit<HttpResponse, 'body'>,
  body: Compressible,
): HttpResponse {
  const encoding = chooseEncoding(head, (name) => body[name] !== undefined);
  const headers = { ...response.headers, Vary: 'Accept-Encoding' };
  if (encoding === undefined) return { ...response, headers, body: body.plain };
  return { ...response, headers: { ...headers, 'Content-Encoding': encoding }, body: body[encoding] };
}

/**
 * Returns the response with its text compressed for this client. Only for answers that repeat nothing of the request:
 * where a secret and a stranger's text are compressed together, the length tells about the secret.
 */
export async function compressAnswer<R extends HttpResponse>(
  head: Pick<HttpHead, 'headers'>,
  response: R,
): Promise<R> {
  const { body } = response;
  if (typeof body !== 'string' || body.length < LEAST_BYTES) return response;
  const headers = { ...response.headers, Vary: 'Accept-Encoding' };
  const encoding = chooseEncoding(head, () => true);
  if (encoding === undefined) return { ...response, headers };
  const plain = Buffer.from(body);
  const bytes = encoding === 'br' ? await brotli(plain, FAST_QUALITY) : await promisify(gzip)(plain);
  return { ...response, headers: { ...headers, 'Content-Encoding': encoding }, body: bytes };
}

const brotli = (plain: Buffer, quality: number): Promise<Buffer> =>
  promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });

/** Returns the better of our encodings that is accepted, not refused, and there. */
function chooseEncoding(
  { headers }: Pick<HttpHead, 'headers'>,
  has: (name: 'br' | 'gzip') => boolean,
): 'br' | 'gzip' | undefined {
  const names = (headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim());
  return (['br', 'gzip'] as const).find((known) => names.includes(known) && has(known));
}
