import { findGatewayFolder, pspCodes, type PspCode } from '@gp/gateway-registry';
import type { GatewaySubject } from '@gp/testing';

/**
 * Loads what tests must know of a gateway from the folder that its manifest names, so that this file needs no list.
 */
export async function loadSubject(code: PspCode): Promise<GatewaySubject> {
  const file = `${findGatewayFolder(code)}/test/subject.ts`;
  const loaded: unknown = await import(`../../${file}`);
  if (!isSubjectModule(loaded)) throw new Error(`${file} must export an object named subject`);
  return loaded.subject;
}

function isSubjectModule(loaded: unknown): loaded is { readonly subject: GatewaySubject } {
  return typeof loaded === 'object' && loaded !== null && 'subject' in loaded;
}

/** The subject of every gateway. */
const subjects = new Map(
  await Promise.all(pspCodes.map(async (code) => [code, await loadSubject(code)] as const)),
);

type Payers = GatewaySubject['payer'];
/** Returns how a payer pays at a gateway, which must have this flow. */
export function findPayer<F extends Payers['flow']>(code: PspCode, flow: F): Extract<Payers, { flow: F }> {
  const { payer } = findSubject(code);
  if (!hasFlow(payer, flow)) throw new Error(`${code} is no gateway with the flow ${flow}`);
  return payer;
}

function hasFlow<F extends Payers['flow']>(payer: Payers, flow: F): payer is Extract<Payers, { flow: F }> {
  return payer.flow === flow;
}

/** Returns what tests must know of a gateway. */
export function findSubject(code: PspCode): GatewaySubject {
  const subject = subjects.get(code);
  if (!subject) throw new Error(`no gateway ${code}`);
  return subject;
}
