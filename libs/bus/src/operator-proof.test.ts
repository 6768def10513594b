import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createIdentity } from './identity.ts';
import {
  createOperatorKey,
  digestBody,
  isOperatorKey,
  isOperatorSeed,
  isSignedBy,
  openOperatorSigner,
  parseOperatorProof,
} from './operator-proof.ts';

const { seed, publicKey } = createOperatorKey();
const signer = openOperatorSigner(seed, () => 1_900_000_000_000);
const subject = 'rpc.ledger.captures.retry.v1';
const body = '{"group_id":"1"}';
const signed = { subject, digest: digestBody(body) };
const parse = (text: string) => {
  const proof = parseOperatorProof(text);
  if (!proof) throw new Error('no proof');
  return proof;
};

describe('the proof of an operator', () => {
  it('a proof names its key and its time, is valid for one subject and body, and differs each time (Q68)', () => {
    const [first, second] = [signer.sign(subject, body), signer.sign(subject, body)].map(parse);
    expect(first).toMatchObject({ key: publicKey, signedAtMs: 1_900_000_000_000 });
    expect(first?.nonce).not.toBe(second?.nonce);
    for (const proof of [first!, second!]) {
      expect(isSignedBy(proof, signed)).toBe(true);
      expect(isSignedBy(proof, { ...signed, subject: `${subject}x` })).toBe(false);
      expect(isSignedBy(proof, { ...signed, digest: digestBody(`${body} `) })).toBe(false);
    }
  });

  it('a proof with any changed part is refused (Q68)', () => {
    const proof = parse(signer.sign(subject, body));
    const other = createOperatorKey().publicKey;
    for (const changed of [{ key: other }, { signedAtMs: proof.signedAtMs + 1 }, { nonce: 'A'.repeat(22) }])
      expect([changed, isSignedBy({ ...proof, ...changed }, signed)]).toEqual([changed, false]);
    for (const signature of [new Uint8Array(64), new Uint8Array(3), proof.signature.map((byte) => byte ^ 1)])
      expect(isSignedBy({ ...proof, signature }, signed)).toBe(false);
  });

  it('a text that is no proof is parsed as none and never throws', () => {
    const text = signer.sign(subject, body);
    expect(parseOperatorProof(`${text} `)).toBeUndefined();
    expect(parseOperatorProof(text.replace('v1', 'v2'))).toBeUndefined();
    fc.assert(fc.property(fc.string(), (any) => expect(parseOperatorProof(any)).toBeUndefined()));
  });
});

describe('the key of an operator', () => {
  it('a key of an operator is no identity on the bus, nor the other way round', () => {
    const identity = createIdentity();
    expect([isOperatorSeed(seed), isOperatorKey(publicKey)]).toEqual([true, true]);
    expect([isOperatorSeed(identity.seed), isOperatorKey(identity.publicKey)]).toEqual([false, false]);
    expect(() => openOperatorSigner(identity.seed)).toThrow(
      'this is not the private half of an operator’s key',
    );
  });

  it('a mistyped key is found out by its checksum', () => {
    const mistype = (text: string) => `${text.slice(0, 20)}${text[20] === 'A' ? 'B' : 'A'}${text.slice(21)}`;
    expect([isOperatorSeed(mistype(seed)), isOperatorKey(mistype(publicKey))]).toEqual([false, false]);
    expect([isOperatorSeed(''), isOperatorKey('O')]).toEqual([false, false]);
  });
});
