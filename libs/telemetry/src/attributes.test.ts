import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { attribute, toAttributes, type Attributes } from './attributes.ts';

const declarations = dirname(createRequire(import.meta.url).resolve('@opentelemetry/semantic-conventions'));
const DECLARED = /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*declare const ATTR_\w+: "([^"]+)"/g;

/** The attributes that the published conventions declare and have not replaced. */
function listCurrentNames(): readonly string[] {
  return ['stable', 'experimental'].flatMap((kind) => {
    const text = readFileSync(join(declarations, `${kind}_attributes.d.mts`), 'utf8');
    return [...text.matchAll(DECLARED)].flatMap(([, about = '', name = '']) =>
      about.includes('@deprecated') ? [] : [name],
    );
  });
}

it('every attribute that we take from the conventions is in the published ones, and none was replaced (Q43)', () => {
  const current = listCurrentNames();
  expect(current.length).toBeGreaterThan(400);
  expect(current).not.toContain('rpc.service');
  expect(Object.values(attribute).filter((name) => !current.includes(name))).toEqual([]);
});

it('attributes of ours have a prefix, those of the conventions none, and everything else is dropped', () => {
  const given = {
    merchant_id: 'm1',
    [attribute.httpStatus]: 200,
    [attribute.serverPort]: undefined,
    'http.request.body': 'x',
    card_number: '4242424242424242',
  };
  expect(toAttributes(given as Attributes)).toEqual({
    'gp.merchant_id': 'm1',
    'http.response.status_code': 200,
  });
});

it('no value of an attribute looks like a secret, whatever its name', () => {
  const given = {
    [attribute.urlFull]: 'https://shop.example/a@b.example/4242424242424242',
    reason: 'sk_live_x',
  };
  expect(toAttributes(given)).toEqual({
    'url.full': 'https://shop.example/[masked]/[masked]',
    'gp.reason': '[masked]',
  });
});
