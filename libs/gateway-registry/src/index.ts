import type { Static, TObject, TProperties, TSchema } from '@gp/bundled/typebox';
import * as list from './list.ts';
import type { GatewayManifest, SandboxPort } from './manifest-type.ts';

export { COMMON_TEST_CARDS } from './common-test-cards.ts';
export { APPROVED, findCardBehaviours } from './test-cards.ts';
export type {
  AmountSteps,
  CardBehaviour,
  CredentialField,
  CredentialsOf,
  DeclineReason,
  Flow,
  GatewayManifest,
  LedgerFacts,
  PageFacts,
  SandboxBehaviour,
  SandboxFacts,
  SandboxPort,
  TestCard,
  TestCards,
} from './manifest-type.ts';

/** The wire code of a gateway. */
export type PspCode = keyof typeof list;

/** The manifests by wire code, with the exact types of each. */
export const manifests: typeof list = { ...list };

/** Every wire code, in the order of the alphabet. */
export const pspCodes = Object.keys(manifests).sort() as PspCode[];

/** The manifest of a gateway. */
export function findManifest(code: PspCode): GatewayManifest {
  return manifests[code];
}

/** Returns whether a text from outside is the wire code of a gateway. */
export function isPspCode(text: string): text is PspCode {
  return Object.hasOwn(manifests, text);
}

/** Builds a table with one entry for each gateway. */
export function forEachGateway<T>(
  make: (manifest: GatewayManifest, code: PspCode) => T,
): Readonly<Record<PspCode, T>> {
  const entries = pspCodes.map((code) => [code, make(findManifest(code), code)] as const);
  return Object.fromEntries(entries) as Record<PspCode, T>;
}

/** The gateways with this flow. */
export function pspCodesWithFlow(flow: GatewayManifest['flow']): readonly PspCode[] {
  return pspCodes.filter((code) => findManifest(code).flow === flow);
}

/** Every port of the sandbox that a gateway declares, with the code of the gateway. */
export function listSandboxPorts(): readonly (SandboxPort & {
  readonly code: PspCode;
  readonly setting: SandboxPortSetting;
})[] {
  return pspCodes.flatMap((code) =>
    (findManifest(code).sandbox.ports ?? []).map((port) => ({
      ...port,
      code,
      setting: port.setting as SandboxPortSetting,
    })),
  );
}

/** The name of the adapter's process and deployment, words joined by hyphens; its schema is the code itself. */
export function toProcessName(code: string): string {
  return code.replaceAll('_', '-');
}

/** The folder of a gateway, relative to the repository. */
export function findGatewayFolder(code: PspCode): string {
  return `services/gateway-adapters/${findManifest(code).folder}`;
}

type Manifests = typeof list;

/** The settings of the sandbox that hold the ports of single gateways. */
export type SandboxPortSetting = {
  [C in PspCode]: Manifests[C]['sandbox'] extends {
    readonly ports: readonly { readonly setting: infer S extends string }[];
  }
    ? S
    : never;
}[PspCode];

type Fields<C extends PspCode> = Manifests[C]['clientData']['fields'];
type Merged<U> = (U extends unknown ? (part: U) => void : never) extends (all: infer I) => void ? I : never;

/** The fields that the pay response adds for one gateway. */
export type ClientDataOf<C extends PspCode> = Static<TObject<Fields<C>>>;
/** The client data of some gateway: every field that any of them has, each optional. */
export type AnyClientData = Partial<Merged<{ [C in PspCode]: ClientDataOf<C> }[PspCode]>>;

/** The client data fields of all gateways. */
export const allClientFields: TProperties = Object.assign(
  {},
  ...pspCodes.map((code) => findManifest(code).clientData.fields),
) as TProperties;

/** A card as a `server_confirm` gateway takes it: always encrypted, in memory only. */
export type Card = {
  [C in PspCode]: Manifests[C] extends { readonly card: infer S extends TSchema } ? Static<S> : never;
}[PspCode];
