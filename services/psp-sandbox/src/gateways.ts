import { findManifest, pspCodes, type PspCode } from '@gp/gateway-registry';
import type { PlayedGateway, PlayGateway, Stage } from './app/gateway.ts';

/**
 * Returns the sandbox part of each gateway of the registry: what `sandbox/index.ts` in its folder exports as
 * `play`.
 */
export async function playGateways(stage: Stage): Promise<ReadonlyMap<PspCode, PlayedGateway>> {
  const played = pspCodes.map(async (code) => [code, (await loadGateway(code))(stage)] as const);
  return new Map(await Promise.all(played));
}

/**
 * Loads the sandbox part of a gateway from the folder that its manifest names, so that this file needs no list.
 */
async function loadGateway(code: PspCode): Promise<PlayGateway> {
  const { folder } = findManifest(code);
  const part: unknown = await import(`../../gateway-adapters/${folder}/sandbox/index.ts`);
  if (!isSandboxPart(part)) throw new Error(`${folder}/sandbox/index.ts must export a function named play`);
  return part.play;
}

function isSandboxPart(part: unknown): part is { readonly play: PlayGateway } {
  return typeof part === 'object' && part !== null && 'play' in part && typeof part.play === 'function';
}
