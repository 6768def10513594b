import type { Mode, PspCode } from '@gp/contracts';

/** Addresses of what a browser loads of each gateway in one mode. `also`: origins the script talks to besides its own. */
export type GatewayAddresses = {
  readonly gateway_a: { readonly script: string; readonly also: readonly string[] };
  /** With a `frame`, the script is not used. */
  readonly gateway_b: {
    readonly frame: string | null;
    readonly script: string;
    readonly also: readonly string[];
  };
  readonly gateway_c: { readonly bank: string };
};
export type AddressBook = Readonly<Record<Mode, GatewayAddresses>>;

/** What a page that uses a gateway must be let do: sources for its content security policy. */
export type Sources = {
  readonly script: readonly string[];
  readonly connect: readonly string[];
  readonly frame: readonly string[];
  readonly form: readonly string[];
};

const NONE: Sources = { script: [], connect: [], frame: [], form: [] };

/** What the browser is told of a gateway. */
export type BrowserGateway =
  | { readonly psp_code: 'gateway_a'; readonly script: string }
  | { readonly psp_code: 'gateway_b'; readonly frame: string | null; readonly script: string | null }
  | { readonly psp_code: 'gateway_c'; readonly bank: string };

/** The gateway as the page gets it. */
export function browserGateway(addresses: GatewayAddresses, psp: PspCode): BrowserGateway {
  switch (psp) {
    case 'gateway_a':
      return { psp_code: psp, script: addresses.gateway_a.script };
    case 'gateway_b': {
      const { frame, script } = addresses.gateway_b;
      return { psp_code: psp, frame, script: frame === null ? script : null };
    }
    case 'gateway_c':
      return { psp_code: psp, bank: new URL(addresses.gateway_c.bank).origin };
  }
}

/** What that gateway, and no other, needs to be let do. */
export function sourcesOf(addresses: GatewayAddresses, psp: PspCode): Sources {
  switch (psp) {
    case 'gateway_a':
      return ofScript(addresses.gateway_a);
    case 'gateway_b': {
      const { frame } = addresses.gateway_b;
      return frame === null ? ofScript(addresses.gateway_b) : { ...NONE, frame: [new URL(frame).origin] };
    }
    case 'gateway_c':
      return { ...NONE, form: [new URL(addresses.gateway_c.bank).origin] };
  }
}

/** Everything that any of these needs. */
export function allSources(parts: readonly Sources[]): Sources {
  const of = (kind: keyof Sources) => [...new Set(parts.flatMap((part) => part[kind]))];
  return { script: of('script'), connect: of('connect'), frame: of('frame'), form: of('form') };
}

function ofScript({ script, also }: { script: string; also: readonly string[] }): Sources {
  const all = [new URL(script).origin, ...also];
  return { script: all, connect: all, frame: all, form: [] };
}
