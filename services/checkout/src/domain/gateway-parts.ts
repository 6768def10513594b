import type { Mode, PspCode } from '@gp/contracts';

/** The addresses of what a browser loads of one gateway in one mode. */
export type GatewayAddresses = LibraryAddresses | BankAddress;
/** A browser library; `origins` are those it reaches besides its own. */
type LibraryAddresses = {
  readonly script: string;
  readonly origins: readonly string[];
  /** Only for a gateway whose library a frame of the sandbox may replace; null while the library is used. */
  readonly frame?: string | null;
};
/** The bank's page that the payer's form is posted to. */
type BankAddress = { readonly bank: string };

export type AddressBook = Readonly<Record<Mode, Readonly<Record<PspCode, GatewayAddresses>>>>;

/** The permissions a page needs for a gateway: sources for its content security policy. */
export type Sources = {
  readonly script: readonly string[];
  readonly connect: readonly string[];
  readonly frame: readonly string[];
  readonly form: readonly string[];
};

const NONE: Sources = { script: [], connect: [], frame: [], form: [] };

/** The part of a gateway that the page starts with: its library, the frame that replaces it, or its bank. */
export type BrowserGateway = { readonly psp_code: PspCode } & (
  | { readonly script: string; readonly frame?: null }
  | { readonly frame: string; readonly script: null }
  | { readonly bank: string }
);

/** Returns the gateway in the form the page receives. */
export function toBrowserGateway(psp_code: PspCode, addresses: GatewayAddresses): BrowserGateway {
  if ('bank' in addresses) return { psp_code, bank: new URL(addresses.bank).origin };
  const { frame, script } = addresses;
  if (frame === undefined) return { psp_code, script };
  return frame === null ? { psp_code, frame, script } : { psp_code, frame, script: null };
}

/** Returns the sources that this gateway, and no other, needs. */
export function listSources(addresses: GatewayAddresses): Sources {
  if ('bank' in addresses) return { ...NONE, form: [new URL(addresses.bank).origin] };
  const { frame, script, origins } = addresses;
  if (frame != null) return { ...NONE, frame: [new URL(frame).origin] };
  const all = [new URL(script).origin, ...origins];
  return { script: all, connect: all, frame: all, form: [] };
}

/** Returns the sources of a page without a gateway whose form is posted to us. */
export const toOurselves = (home: string): Sources => ({ ...NONE, form: [home] });

/** Returns every source that any of these needs. */
export function allSources(parts: readonly Sources[]): Sources {
  const of = (kind: keyof Sources) => [...new Set(parts.flatMap((part) => part[kind]))];
  return { script: of('script'), connect: of('connect'), frame: of('frame'), form: of('form') };
}
