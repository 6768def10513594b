import { afterEach, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundleName, programFile } from './program.ts';

const root = resolve(import.meta.dirname, '../../..');
const ledger = join(root, 'services/group-ledger/src/main.ts');
const given = process.env['GP_BUNDLES'];
const folder = mkdtempSync(join(tmpdir(), 'gp-bundles-'));
afterEach(() => {
  if (given === undefined) delete process.env['GP_BUNDLES'];
  else process.env['GP_BUNDLES'] = given;
  rmSync(folder, { recursive: true, force: true });
});

it('a program starts from its bundle where there is one, otherwise from its source', () => {
  delete process.env['GP_BUNDLES'];
  expect(programFile(ledger)).toBe(ledger);
  process.env['GP_BUNDLES'] = folder;
  expect(programFile(ledger)).toBe(ledger);
  writeFileSync(join(folder, 'group-ledger.main.js'), '');
  expect(programFile(ledger)).toBe(join(folder, 'group-ledger.main.js'));
});

it('a bundle has the name of its service and of its program', () => {
  expect(bundleName('services/merchant-dashboard/src/cli.ts')).toBe('merchant-dashboard.cli.js');
  expect(bundleName('services/gateway-adapters/redsys/src/main.ts')).toBe('redsys.main.js');
});
