import { describe, expect, it } from '@jest/globals';
import { openOperatorSigner, readPublicKey } from '@gp/bus';
import { listMissingKeys, listPlanFaults, type SecretsPlan } from './plan.ts';

const plan: SecretsPlan = {
  keys: { 'encryption-key-checkout': 'key' },
  nats: { checkout: 'seed' },
  users: { NATS_KEY_CHECKOUT: 'public-key:nats/checkout' },
  operator: { OPERATOR_KEY: 'operator-key' },
  ledger: { FIRST_OPERATOR: 'first-operator:operator/OPERATOR_KEY' },
  admin: { password: 'password', 'admin-url': 'postgres://admin:{password}@db:5432/payments' },
};

describe('secrets of a plan', () => {
  it('every key is made in the form that its reader accepts', () => {
    const made = listMissingKeys(plan, {});
    expect(Object.keys(made)).toEqual(Object.keys(plan));
    expect(Buffer.from(made['keys']!['encryption-key-checkout']!, 'base64')).toHaveLength(32);
    expect(made['users']!['NATS_KEY_CHECKOUT']).toBe(readPublicKey(made['nats']!['checkout']!));
    const { key } = openOperatorSigner(made['operator']!['OPERATOR_KEY']!);
    expect(made['ledger']).toEqual({ FIRST_OPERATOR: `local:${key}` });
    const { password } = made['admin']!;
    expect(password).toMatch(/^[0-9a-f]{48}$/);
    expect(new URL(made['admin']!['admin-url']!).password).toBe(password);
  });

  it('keys that exist are kept, and nothing is written where all exist', () => {
    const present = listMissingKeys(plan, {});
    expect(listMissingKeys(plan, present)).toEqual({});
    const more: SecretsPlan = { ...plan, keys: { ...plan['keys'], 'encryption-key-refund': 'key' } };
    expect(listMissingKeys(more, present)).toEqual({ keys: { 'encryption-key-refund': expect.any(String) } });
  });

  it('a key that is made of another one follows it', () => {
    const present = listMissingKeys(plan, {});
    const admin = { ...present['admin'], password: 'f'.repeat(48) };
    expect(listMissingKeys(plan, { ...present, admin })).toEqual({
      admin: { 'admin-url': `postgres://admin:${'f'.repeat(48)}@db:5432/payments` },
    });
  });

  it('a key of one secret is the same in another one that names it', () => {
    const shared: SecretsPlan = {
      reader: { PEPPER: '{owner/PEPPER}', URL: 'postgres://admin:{owner/PASSWORD}@db:5432/payments' },
      owner: { PEPPER: 'key', PASSWORD: 'password' },
    };
    const { reader, owner } = listMissingKeys(shared, {});
    expect(reader!['PEPPER']).toBe(owner!['PEPPER']);
    expect(new URL(reader!['URL']!).password).toBe(owner!['PASSWORD']);
    expect(listMissingKeys(shared, { owner: owner! })).toEqual({ reader });
  });

  it('no two keys are equal, in one installation or in two', () => {
    const many: SecretsPlan = { keys: { a: 'key', b: 'key' }, roles: { a: 'password', b: 'password' } };
    const values = [listMissingKeys(many, {}), listMissingKeys(many, {})].flatMap((made) =>
      Object.values(made).flatMap((keys) => Object.values(keys)),
    );
    expect(new Set(values).size).toBe(8);
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '["key"]'],
    ['a secret that is a text', '{"keys":"key"}'],
    ['a key that is no text', '{"keys":{"a":1}}'],
    ['a word that is not known', '{"keys":{"a":"toString"}}'],
    ['a public key of no seed', '{"keys":{"a":"key"},"users":{"A":"public-key:keys/a"}}'],
    ['a first operator of another seed', '{"keys":{"a":"seed"},"users":{"A":"first-operator:keys/a"}}'],
    ['a place in a secret that is not there', '{"keys":{"a":"{others/b}"}}'],
    [
      'a place of a text that is made of others',
      '{"keys":{"a":"{others/b}"},"others":{"b":"{c}","c":"key"}}',
    ],
    ['a place without a key', '{"keys":{"a":"postgres://{b}@db"}}'],
    ['a text that is made of nothing', '{"keys":{"a":"secret"}}'],
  ])('%s is a fault of the plan', (_title, json) => {
    expect(listPlanFaults(json)).toHaveLength(1);
  });

  it('a plan without a fault has none reported', () => {
    expect(listPlanFaults(JSON.stringify(plan))).toEqual([]);
  });
});
