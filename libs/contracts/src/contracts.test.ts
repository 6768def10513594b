import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import * as contracts from './index.ts';

const ajv = new Ajv({ strict: true });
addFormats.default(ajv);

describe('contracts', () => {
  it('every schema compiles under ajv strict mode', () => {
    for (const value of Object.values(contracts)) {
      if (typeof value !== 'object' || value === null || !('kind' in value)) continue;
      for (const part of ['request', 'response', 'command', 'payload'] as const)
        if (part in value) expect(() => ajv.compile(Object(value)[part])).not.toThrow();
    }
  });

  it('a subject outside the three prefixes cannot be declared', () => {
    expect(() => contracts.message('foo.bar.baz.qux.v1', contracts.Uuid)).toThrow(/not a subject/);
    expect(() =>
      contracts.rpc('cmd.a.b.c.v1', { request: contracts.Uuid, response: contracts.Uuid }),
    ).toThrow();
  });

  it('every call of the ledger for an operator requires that person’s signature (Q66)', () => {
    const named = { merchant_id: 'm', mode: 'test', group_id: '0198c3f0-0000-7000-8000-00000000000a' };
    const identity = { command_id: 'a'.repeat(64), fingerprint: 'a'.repeat(64) };
    const { cancelGroup, updateGroup, rollPageToken, rollCheckoutLink } = contracts;
    for (const contract of [cancelGroup, updateGroup, rollPageToken, rollCheckoutLink]) {
      const isAccepted = (actor: string) =>
        ajv.validate(Object(contract.request), { ...named, ...identity, actor });
      expect([contract.subject, isAccepted('operator:ann'), isAccepted('dashboard:ann')]).toEqual([
        contract.subject,
        false,
        true,
      ]);
    }
  });

  it('a public event names its noun, verb and group in its subject', () => {
    expect(contracts.publicEventSubject('group_payment.paid', 'g1')).toBe(
      'evt.ledger.group_payment.paid.v1.g1',
    );
  });
});

describe('API key format', () => {
  const key = contracts.formatApiKey('test', 'a'.repeat(32));
  it('an API key contains its mode', () => expect(contracts.parseApiKeyMode(key)).toBe('test'));
  it('an API key with one changed character is refused by the checksum', () => {
    for (let i = 8; i < key.length; i++) {
      const altered = key.slice(0, i) + (key[i] === 'b' ? 'c' : 'b') + key.slice(i + 1);
      expect(contracts.parseApiKeyMode(altered)).toBeUndefined();
    }
  });
  it('a test key cannot be turned into a live key', () =>
    expect(contracts.parseApiKeyMode(key.replace('test', 'live'))).toBeUndefined());
});
