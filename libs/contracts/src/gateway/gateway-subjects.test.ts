import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { findManifest, pspCodes } from '@gp/gateway-registry';
import * as contracts from '../index.ts';

const golden = JSON.parse(
  readFileSync(new URL('../../test/gateway-subjects.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly string[]>>;

it.each(pspCodes)('the subjects of %s are those that were recorded', (psp) => {
  const all = [
    contracts.prepareIntent(psp),
    ...(findManifest(psp).flow === 'server_confirm' ? [contracts.confirmIntent(psp)] : []),
    contracts.putCredentials(psp),
    contracts.verifyCredentials(psp),
    contracts.readBooks(psp),
    contracts.findUnknownPayments(psp),
    ...contracts.GATEWAY_OPERATIONS.map((operation) => contracts.gatewayOperation(psp, operation)),
    contracts.listTasks(psp),
    contracts.resolveTask(psp),
    contracts.listDeadLetters(psp),
    contracts.replayDeadLetter(psp),
    contracts.republishOutbox(psp),
  ];
  expect(all.map(({ subject }) => subject)).toEqual(golden[psp]);
});
