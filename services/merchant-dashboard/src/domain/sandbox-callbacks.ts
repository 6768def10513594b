import { isPspCode, pspCodes, type PspCode } from '@gp/gateway-registry';

/** The address to which the sandbox sends the callbacks of each gateway. */
export type Callbacks = Readonly<Partial<Record<PspCode, string>>>;

const address = String.raw`https?:\/\/[^,\s]+`;
const pair = `[a-z_]+=${address}`;

/** Pairs of a code and an address; or addresses alone, one for each gateway, as older installations set them. */
export const callbacksPattern = new RegExp(
  `${pair}(,${pair})*|${address}(,${address}){${pspCodes.length - 1}}`,
);

/** Parses a text of that pattern. Gateways that this version does not know are left out. */
export function readCallbacks(text: string): Callbacks {
  const parts = text.split(',');
  if (/^https?:/.test(text)) return Object.fromEntries(pspCodes.map((code, at) => [code, parts[at]]));
  const pairs = parts.map((part) => {
    const [code = '', ...address] = part.split('=');
    return [code, address.join('=')] as const;
  });
  return Object.fromEntries(pairs.filter(([code]) => isPspCode(code)));
}

/** Returns a fault for each gateway without an address; none where there is no sandbox. */
export function listMissingCallbacks(text: string | undefined): string[] {
  if (text === undefined) return [];
  const callbacks = readCallbacks(text);
  return pspCodes
    .filter((code) => !callbacks[code])
    .map((code) => `SANDBOX_CALLBACKS has no address for ${code}`);
}
