import { findManifest, findGatewayFolder, type PspCode } from '@gp/gateway-registry';
import type { GatewaySubject } from '@gp/testing';
import { findSubject } from '../support/subjects.ts';
import { buildPayer, type Payer } from './payers.ts';

/** Facts about a gateway that the suite needs: from its manifest, and from the subject in its folder. */
export type Subject = {
  readonly psp: PspCode;
  readonly folder: string;
  /** The party that authorises: the payer's browser, or the adapter with the card it is given. */
  readonly authorisesFrom: 'browser' | 'server';
  readonly payer: Payer;
  /** The call of ours that a payment begins with, and that an open breaker refuses; null where there is none. */
  readonly begins: 'prepare' | 'authorise' | null;
  /** Operations for which this gateway has no call of ours, or which it cannot do. */
  readonly lacks: readonly Lack[];
  readonly credentials: GatewaySubject['credentials'] & { readonly secrets: readonly string[] };
};

/**
 * `refunds`: the gateway has none in its API. `later`: it does every accepted operation at once. `word of lapses`, `word
 * of disputes`: the gateway sends no callback about those, so an ended hold is found by a query.
 */
export type Lack = 'refunds' | 'later' | 'word of lapses' | 'word of disputes';

const BEGINS = { embedded: 'prepare', server_confirm: 'authorise', redirect: null } as const;

/** Returns what the suite must know of a gateway. */
export function describeSubject(psp: PspCode): Subject {
  const manifest = findManifest(psp);
  const { payer, credentials } = findSubject(psp);
  const secrets = manifest.credentials.filter(({ isSecret }) => isSecret).map(({ name }) => name);
  return {
    psp,
    folder: findGatewayFolder(psp),
    authorisesFrom: manifest.flow === 'server_confirm' ? 'server' : 'browser',
    payer: buildPayer(psp, payer),
    begins: BEGINS[manifest.flow],
    lacks: listLacks(psp),
    credentials: { ...credentials, secrets },
  };
}

function listLacks(psp: PspCode): Lack[] {
  const { ledger, sandbox } = findManifest(psp);
  const { unreported } = findSubject(psp);
  const lacks: Readonly<Record<Lack, boolean>> = {
    refunds: !ledger.isRefundable,
    later: !sandbox.behaviour.hasLaterOutcomes,
    'word of lapses': unreported.includes('lapse'),
    'word of disputes': unreported.includes('dispute'),
  };
  return (Object.keys(lacks) as Lack[]).filter((lack) => lacks[lack]);
}
