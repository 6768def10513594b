import { optional, text, url, type ConfigShape } from '@gp/config';
import { findManifest, forEachGateway, pspCodes, type PspCode } from '@gp/gateway-registry';
import type { AddressBook, GatewayAddresses } from './domain/gateway-parts.ts';

type Mode = keyof AddressBook;

const protocols = ['http:', 'https:'] as const;
const origin = String.raw`https?:\/\/[\w.*-]+(?::\d+)?`;
const pattern = new RegExp(`(?:${origin}(?:,${origin})*)?`);

/** The settings of what payers' browsers load of each gateway, and which origins it reaches. */
export const gatewaysConfig: ConfigShape = Object.assign(
  {},
  ...pspCodes.flatMap((code) => [declareSettings(code, 'test'), declareSettings(code, 'live')]),
) as ConfigShape;

/** Returns the environment variable of one part of a gateway, such as `<PSP_CODE>_TEST_SCRIPT`. */
function nameSetting(code: PspCode, mode: Mode, part: 'frame' | 'script' | 'origins' | 'url'): string {
  return `${code}_${mode}_${part}`.toUpperCase();
}

/** Returns the settings of a gateway in one mode: its manifest's addresses are the defaults. */
function declareSettings(code: PspCode, mode: Mode): ConfigShape {
  const { library, hasSandboxFrame, bank } = findManifest(code).page;
  return {
    ...(hasSandboxFrame &&
      mode === 'test' && {
        [nameSetting(code, mode, 'frame')]: optional(
          url({
            describe: `Card field of the sandbox for ${code} in test mode, used in place of the script`,
            protocols,
          }),
        ),
      }),
    ...(library && {
      [nameSetting(code, mode, 'script')]: url({
        describe: `Browser script of ${code} in ${mode} mode`,
        default: library.script[mode],
        protocols,
      }),
      [nameSetting(code, mode, 'origins')]: text({
        describe: `Origins that the browser script of ${code} talks to in ${mode} mode besides its own, separated by commas`,
        default: library.origins[mode].join(','),
        pattern,
      }),
    }),
    ...(bank && {
      [nameSetting(code, mode, 'url')]: url({
        describe: `Where ${code}'s form goes in ${mode} mode${mode === 'test' ? ': the sandbox, or the bank' : ''}; only its origin counts`,
        default: bank[mode],
        protocols,
      }),
    }),
  };
}

type Settings = Readonly<Record<string, unknown>>;

/** Returns where browsers find the parts of each gateway, from the settings that `gatewaysConfig` declares. */
export function readAddressBook(settings: Settings): AddressBook {
  return {
    test: forEachGateway((_, code) => readAddresses(settings, code, 'test')),
    live: forEachGateway((_, code) => readAddresses(settings, code, 'live')),
  };
}

function readAddresses(settings: Settings, code: PspCode, mode: Mode): GatewayAddresses {
  const { bank, hasSandboxFrame } = findManifest(code).page;
  const read = (part: 'frame' | 'script' | 'origins' | 'url'): string => {
    const value = settings[nameSetting(code, mode, part)];
    return typeof value === 'string' ? value : '';
  };
  if (bank) return { bank: read('url') };
  const origins = read('origins').split(',').filter(Boolean);
  return { script: read('script'), origins, ...(hasSandboxFrame && { frame: read('frame') || null }) };
}

/** Returns a fault for each live address that is not https:. */
export function listInsecureAddresses(settings: Settings): string[] {
  return pspCodes
    .map((code) => nameSetting(code, 'live', findManifest(code).page.bank ? 'url' : 'script'))
    .filter((name) => !String(settings[name]).startsWith('https:'))
    .map((name) => `${name} must be https: live cards are typed there`);
}
