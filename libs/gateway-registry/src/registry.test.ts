import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import Type from '@gp/bundled/typebox';
import Value from 'typebox/value';
import { findManifest, isPspCode, manifests, toProcessName, pspCodes } from './index.ts';

const adapters = resolve(import.meta.dirname, '../../../services/gateway-adapters');

describe.each(pspCodes)('the manifest of %s', (code) => {
  const manifest = findManifest(code);

  it('the manifest of a gateway is registered under its own wire code, in the folder that it names', () => {
    expect(manifest.code).toBe(code);
    expect(existsSync(resolve(adapters, manifest.folder, 'manifest.ts'))).toBe(true);
  });

  it('the manifest of a gateway describes a card exactly when our server authorises', () => {
    expect(manifest.card !== undefined).toBe(manifest.flow === 'server_confirm');
  });

  it('the manifest of a gateway names every credential and every client field once', () => {
    const names = manifest.credentials.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(manifest.clientData.fields)).not.toHaveLength(0);
  });

  it('the manifest of a gateway has an example that fits its client data', () => {
    const { fields, example } = manifest.clientData;
    expect([...Value.Errors(Type.Object(fields, { additionalProperties: false }), example)]).toEqual([]);
  });

  it('the manifest of a gateway names the bank of a redirect, and the library of every other flow', () => {
    expect(manifest.page.bank !== undefined).toBe(manifest.flow === 'redirect');
    expect(manifest.page.library !== undefined).toBe(manifest.flow !== 'redirect');
  });
});

it('the registry accepts a text as a code only when it lists it', () => {
  expect(Object.keys(manifests).filter(isPspCode)).toEqual(pspCodes);
  expect(['', 'gateway', 'toString', '__proto__'].filter(isPspCode)).toEqual([]);
});

it('the registry names the process of an adapter with a valid deployment name', () => {
  expect(pspCodes.map(toProcessName).every((name) => /^[a-z][a-z0-9-]*$/.test(name))).toBe(true);
});
