import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import tweetnacl from './tweetnacl.ts';

const { keyPair, detached } = tweetnacl.sign;
const hex = (text: string) => Buffer.from(text, 'hex');

const PKCS8_HEAD = '302e020100300506032b657004220420';

/** The third example of RFC 8032, 7.1. */
const seed = hex('c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7');
const publicKey = hex('fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025');
const message = hex('af82');
const signature = hex(
  '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac' +
    '18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
);

describe('signatures of the NATS client', () => {
  it('a seed has the public key and the signature that RFC 8032 gives', () => {
    const pair = keyPair.fromSeed(seed);
    expect(pair).toEqual({ publicKey, secretKey: Buffer.concat([seed, publicKey]) });
    expect(detached(message, pair.secretKey)).toEqual(signature);
  });

  it('a signature is valid for its message and its key only', () => {
    expect(detached.verify(message, signature, publicKey)).toBe(true);
    expect(detached.verify(hex('af83'), signature, publicKey)).toBe(false);
    expect(
      detached.verify(
        message,
        signature.map((byte) => byte ^ 1),
        publicKey,
      ),
    ).toBe(false);
    const other = keyPair.fromSeed(tweetnacl.randomBytes(32)).publicKey;
    expect(detached.verify(message, signature, other)).toBe(false);
  });

  it('the bundle has these in place of those written in JavaScript', async () => {
    const bundle = await readFile(new URL('../dist/nats.js', import.meta.url), 'utf8');
    expect(bundle).toContain(PKCS8_HEAD);
    expect(bundle).not.toMatch(/crypto_sign|scalarmult/);
  });

  it('a signature of another length is refused with an error', () => {
    expect(() => detached.verify(message, signature.subarray(1), publicKey)).toThrow('64 bytes');
  });
});
