import { CipherError, decryptField, looksEncrypted, type AppKeys } from './cipher.ts';

/** The relay's error response when it cannot decrypt or forward a request. */
export type Problem = {
  readonly code: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
};

/**
 * Returns the JSON body with every encrypted text replaced by its value; returns a problem when it cannot decrypt
 * one.
 */
export function decryptBody(body: Buffer, keys: AppKeys): Buffer | Problem {
  const text = body.toString('utf8');
  if (!text.includes('"ev:')) return body;
  try {
    return Buffer.from(
      JSON.stringify(
        JSON.parse(text, (_name, value: unknown) =>
          typeof value === 'string' && looksEncrypted(value) ? decryptField(value, keys) : value,
        ),
      ),
    );
  } catch (e) {
    if (e instanceof CipherError) {
      return {
        code: 'decryption-failed',
        title: 'Decryption Failed',
        status: 422,
        detail: 'An encrypted field of the request cannot be decrypted with the keys of this app.',
      };
    }
    if (e instanceof SyntaxError) {
      return {
        code: 'invalid-request',
        title: 'Invalid Request',
        status: 400,
        detail: 'The body is not valid JSON.',
      };
    }
    throw e;
  }
}
