import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findManifest, pspCodes, type PspCode } from '@gp/gateway-registry';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { shortPlan } from './plan.ts';
import { runHistory, type History } from './run-history.ts';
import { hurried } from './settings.ts';

let own: OwnStack;
let history: History;

beforeAll(async () => {
  own = await openOwnStack(hurried);
  history = await runHistory(own, shortPlan);
}, 600_000);
afterAll(() => own?.close({ keepData: history?.found.length !== 0 }));

const isRefundable = (code: PspCode): boolean => findManifest(code).ledger.isRefundable;

/** Prints the findings, and where to look for their causes. */
function found(): string[] {
  const sentences = history?.found ?? [];
  return sentences.length === 0 ? [] : [...sentences, `the data is kept in ${own.dataDir}`];
}

describe('a crowd pays many bills while gateways fail and processes are killed', () => {
  it('the API, the ledger, the books of the gateways and the webhooks agree', () => {
    expect(found()).toEqual([]);
  });

  it('the history contains paid bills, expired bills, faults and kills', () => {
    const { views } = history;
    const states = new Set(views.ledger.groups.map(({ state }) => state));
    expect([...states]).toEqual(expect.arrayContaining(['paid', 'expired']));
    const kinds = [...views.record.tally.keys()].map((what) => what.split(' ')[0]);
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
    const failed = record.refunded.flatMap(({ answer }) => answer.failed);
    const refused = pspCodes.filter((code) => !isRefundable(code));
    expect(failed.map(({ psp_code }) => psp_code)).toEqual(expect.arrayContaining(refused));
  });
});
