import { describe, expect, it } from '@jest/globals';
import { busPermissions } from '@gp/stack';
import { staleFiles } from '@gp/testing';
import { readIdentities } from '../../platform/bus/identities.ts';
import { generated } from '../../platform/bus/generated.ts';

const programs = Object.entries(busPermissions).filter(([name]) => name !== 'administrator');
const publishersOf = (pattern: RegExp): string[] =>
  programs.filter(([, { publish }]) => publish.allow.some((s) => pattern.test(s))).map(([name]) => name);
const subscribersOf = (pattern: RegExp): string[] =>
  programs.filter(([, { subscribe }]) => subscribe.allow.some((s) => pattern.test(s))).map(([name]) => name);

describe('the permissions on the bus', () => {
  it('permissions are what the services declare; otherwise run `npm run generate` (M1)', async () => {
    expect(await staleFiles(await generated())).toEqual([]);
    expect(Object.keys(await readIdentities())).toEqual(Object.keys(busPermissions));
  });

  it('nobody but the owner may publish facts about merchants, payments and sessions (M1)', () => {
    expect(publishersOf(/^evt\.merchant\./)).toEqual(['merchant-dashboard']);
    expect(publishersOf(/^evt\.ledger\./)).toEqual(['group-ledger']);
    expect(publishersOf(/^evt\.checkout\./)).toEqual(['checkout']);
    expect(publishersOf(/^cmd\.gateway_/)).toEqual(['group-ledger']);
  });

  it('nobody but its owner may serve a call (M1)', () => {
    expect(subscribersOf(/^rpc\.ledger\./)).toEqual(['group-ledger']);
    expect(subscribersOf(/^rpc\.gateway_a\./)).toEqual(['gateway-a']);
    expect(publishersOf(/\.credentials\.put\./)).toEqual(['merchant-dashboard']);
  });

  it('only the public API may have payers played, and only the sandbox may play them (Q73, M1)', () => {
    expect(publishersOf(/^rpc\.psp_sandbox\.payers\./)).toEqual(['api-gateway']);
    expect(subscribersOf(/^rpc\.psp_sandbox\.payers\./)).toEqual(['psp-sandbox']);
  });

  it('the ledger and the installation may create streams, and no program may delete or empty one (M1)', () => {
    expect(publishersOf(/STREAM\.(CREATE|UPDATE)/)).toEqual(['group-ledger', 'installation']);
    expect(
      publishersOf(/STREAM\.(DELETE|PURGE|MSG|RESTORE|SNAPSHOT|TEMPLATE)|CONSUMER\.DELETE|DIRECT/),
    ).toEqual([]);
    expect(publishersOf(/^\$JS\.API\.(>|\*)/)).toEqual([]);
  });

  it('a program may subscribe to inboxes of its own only (M4)', () => {
    for (const [name, { subscribe }] of programs)
      expect(subscribe.allow.filter((subject) => /^(_|>|\*)/.test(subject))).toEqual([`_INBOX.${name}.>`]);
  });

  it('no program may publish what it consumes from a stream, so that nobody can forge a replay (M3)', () => {
    for (const [name, { publish }] of programs) {
      const consumed = publish.allow.flatMap((s) => /CONSUMER\.CREATE\.\w+\.[^.]+\.(.+)$/.exec(s)?.[1] ?? []);
      expect([name, consumed.filter((subject) => publish.allow.includes(subject))]).toEqual([name, []]);
    }
  });
});
