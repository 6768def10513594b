import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findManifest, pspCodes, type PspCode } from '@gp/gateway-registry';
import { createDataFolder } from '@gp/testing';
import { shortPlan } from './plan.ts';
import { playPart } from './play-part.ts';
import type { History } from './run-history.ts';

let dir: string;
let history: History;

beforeAll(async () => {
  dir = await createDataFolder();
  history = await playPart(dir, shortPlan);
  if (history.found.length === 0) history = await playPart(dir, shortPlan);
}, 900_000);
afterAll(async () => {
  if (history?.found.length === 0) await rm(dir, { recursive: true, force: true });
});

const isRefundable = (code: PspCode): boolean => findManifest(code).ledger.isRefundable;

/** Prints the findings, and where to look for their causes. */
function found(): string[] {
  const sentences = history?.found ?? [];
  return sentences.length === 0 ? [] : [...sentences, `the data is kept in ${dir}`];
}

describe('a crowd pays many bills while gateways fail and processes are killed', () => {
  it('the API, the ledger, the books of the gateways and the webhooks agree', () => {
    expect(found()).toEqual([]);
  });

  it('a second part of the history continues with the data, clients and endpoints of the first', () => {
    const { parts, record, heard, endpoints } = history.stored;
    expect(parts).toBe(2);
    expect(record.tally['restart platform']).toBe(1);
    const merchants = new Set(history.views.ledger.groups.map(({ merchant_id }) => merchant_id));
    expect(merchants.size).toBe(endpoints.length);
    expect(heard.length).toBeGreaterThanOrEqual(history.views.ledger.events.length);
  });

  it('the history contains paid bills, expired bills, faults and kills', () => {
    const { views } = history;
    const states = new Set(views.ledger.groups.map(({ state }) => state));
    expect([...states]).toEqual(expect.arrayContaining(['paid', 'expired']));
    const kinds = Object.keys(views.record.tally).map((what) => what.split(' ')[0]);
    expect(kinds).toEqual(
      expect.arrayContaining(['fault', 'kill', 'pay', 'confirm', 'bank', 'refund', 'travel']),
    );
    const journeys = views.record.travelled;
    expect(journeys.filter(({ isAnswered }) => isAnswered).length).toBeGreaterThan(journeys.length / 2);
    // More than the one of each merchant with which a history ends.
    expect(views.books.filter(({ status }) => status === 'captured').length).toBeGreaterThan(4);
  });

  it('every gateway holds money, and each refunds some of it or refuses every refund (E7)', () => {
    const { ledger, record } = history.views;
    const listGateways = (intents: typeof ledger.intents) =>
      [...new Set(intents.map(({ psp_code }) => psp_code))].toSorted();
    const captured = ledger.intents.filter(({ amount_captured }) => amount_captured !== '0');
    expect(listGateways(captured)).toEqual(pspCodes);
    const refunded = ledger.intents.filter(({ amount_refunded }) => amount_refunded !== '0');
    expect(listGateways(refunded)).toEqual(pspCodes.filter(isRefundable));
    const failed = record.refunded.flatMap((refund) => refund.failed);
    const refused = pspCodes.filter((code) => !isRefundable(code));
    expect(failed.map(({ psp_code }) => psp_code)).toEqual(expect.arrayContaining(refused));
  });
});
