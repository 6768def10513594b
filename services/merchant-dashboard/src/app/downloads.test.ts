import { expect, it } from '@jest/globals';
import { openDownloads } from './downloads.ts';

const signals = (count: number) => Array.from({ length: count }, () => new AbortController());

it('a merchant has four downloads at once, and the next one when one of them is over; another merchant is not affected (Q57)', () => {
  const downloads = openDownloads();
  const [first, ...others] = signals(4);
  for (const { signal } of [first!, ...others]) downloads.begin('m1', signal);
  const begin = (merchantId: string) => downloads.begin(merchantId, new AbortController().signal);
  expect(() => begin('m1')).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  begin('m2');
  first!.abort();
  begin('m1');
  expect(() => begin('m1')).toThrow(expect.objectContaining({ code: 'rate_limited' }));
});

it('a download whose reader has left before it began takes no place (Q57)', () => {
  const downloads = openDownloads(1);
  downloads.begin('m1', AbortSignal.abort());
  downloads.begin('m1', new AbortController().signal);
  expect(() => downloads.begin('m1', new AbortController().signal)).toThrow();
});
