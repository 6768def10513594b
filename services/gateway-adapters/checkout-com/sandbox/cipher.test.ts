import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CipherError, decryptField, encryptField, newAppKeys } from './cipher.ts';

const keys = newAppKeys();
const appKey = keys.prime256v1.publicKey;
const at = new Date('2026-11-20T12:00:00Z');

describe('an encrypted field', () => {
  it('an encrypted field decrypts to the original text for every text, role and mode', () => {
    const role = fc.option(fc.stringMatching(/^[a-z0-9-]{1,20}$/), { nil: undefined });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), role, fc.boolean(), (text, withRole, isDebug) => {
        const field = encryptField(text, appKey, { ...(withRole && { role: withRole }), isDebug, at });
        expect(decryptField(field, keys)).toBe(text);
      }),
    );
  });

  it('an encrypted field has the length a 16-digit number has in the browser', () => {
    expect(encryptField('4242424242424242', appKey, { at })).toHaveLength(135);
    expect(encryptField('123', appKey, { role: 'card', at })).toHaveLength(128);
  });

  it('an encrypted field cannot be read by another app', () => {
    const field = encryptField('4242424242424242', appKey, { at });
    expect(() => decryptField(field, newAppKeys())).toThrow(CipherError);
  });

  it('an encrypted field cannot be altered, not even by marking it as debug', () => {
    const field = encryptField('4242424242424242', appKey, { at });
    const forged = [
      field.replace('ev:', 'ev:debug:'),
      field.replace('QkTC', 'QkTC:number'),
      field.replace('QkTC', 'S0lS'),
      field.replace(/.{3}:\$$/, (end) => (end === 'AAA:$' ? 'BBB:$' : 'AAA:$')),
    ];
    for (const text of forged) expect(() => decryptField(text, keys)).toThrow(CipherError);
  });

  it('an encrypted field is refused without a crash when it is malformed', () => {
    const body = fc.stringMatching(/^[A-Za-z0-9+/:$=]{0,200}$/);
    fc.assert(
      fc.property(body, (text) => expect(() => decryptField(`ev:${text}`, keys)).toThrow(CipherError)),
    );
    const shaped = `ev:QkTC:${'A'.repeat(16)}:${'A'.repeat(44)}:${'A'.repeat(40)}:$`;
    expect(() => decryptField(shaped, keys)).toThrow(CipherError);
  });
});
