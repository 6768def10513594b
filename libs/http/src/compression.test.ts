import { describe, expect, it } from '@jest/globals';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { answerCompressed, compress, compressAnswer } from './compression.ts';
import type { HttpResponse } from './types.ts';

const text = 'A share of the bill. '.repeat(100);
const asking = (accepted?: string) => ({
  headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
});

describe('the encoding of an answer', () => {
  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['BR;q=0.5', 'br'],
    ['identity', undefined],
    ['br;q=0.0, gzip; q=0', undefined],
    [undefined, undefined],
  ])(
    'a client that accepts %s gets %s, and caches are told that it depends on that',
    async (accepted, encoding) => {
      const body = await compress(text);
      const answers = [
        answerCompressed(asking(accepted), { status: 200 }, body),
        await compressAnswer<HttpResponse>(asking(accepted), { status: 200, body: text }),
      ];
      for (const { headers, body: sent } of answers) {
        expect(headers).toEqual({
          Vary: 'Accept-Encoding',
          ...(encoding && { 'Content-Encoding': encoding }),
        });
        const bytes = Buffer.from(sent as Buffer | string);
        const plain =
          encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes;
        expect(plain.toString()).toBe(text);
      }
    },
  );

  it('a file whose build wrote no compressed form is sent as it is', () => {
    const { headers, body } = answerCompressed(asking('br'), { status: 200 }, { plain: Buffer.from(text) });
    expect([headers, String(body)]).toEqual([{ Vary: 'Accept-Encoding' }, text]);
  });

  it('a short text and an answer that is no text stay as they are', async () => {
    for (const response of [
      { status: 200, body: 'short' },
      { status: 204 },
      { status: 200, body: { a: text } },
    ])
      expect(await compressAnswer(asking('br'), response)).toBe(response);
  });
});
