import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findManifest, pspCodes } from '@gp/gateway-registry';
import type { Stage } from './app/gateway.ts';
import { playGateways } from './gateways.ts';

/** The concepts that all current gateways have, each in a file of this name; a folder may have more. */
const CONCEPTS =
  'account amounts attempt authorise callbacks capture challenge errors external find index payment prepare query refund request routes settle void wire';

/** Not used before the first request. */
const stage = { publicUrl: 'http://sandbox.example', confirmationDelayMs: 0 } as Stage;

describe.each(pspCodes)('the sandbox part of %s', (code) => {
  const { folder, sandbox } = findManifest(code);

  it('the sandbox part of a gateway has the same files as those of the other gateways', () => {
    const part = resolve(import.meta.dirname, '../../gateway-adapters', folder, 'sandbox');
    expect(CONCEPTS.split(' ').filter((name) => !existsSync(resolve(part, `${name}.ts`)))).toEqual([]);
  });

  it('the sandbox part of a gateway handles requests below its own prefix only', async () => {
    const paths = (await playGateways(stage)).get(code)!.routes.map(({ path }) => path);
    expect(paths.filter((path) => !path.startsWith(`/${code}/`))).toEqual([]);
  });

  it('the sandbox part of a gateway has a server for each port that its manifest declares', async () => {
    const servers = (await playGateways(stage)).get(code)?.servers ?? [];
    expect(servers.map(({ port }) => port)).toEqual((sandbox.ports ?? []).map(({ name }) => name));
  });
});
