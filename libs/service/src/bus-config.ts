import { accessSync, constants } from 'node:fs';
import { isUserSeed, type BusOptions } from '@gp/bus';
import { ConfigError, flag, optional, secret, text, type ConfigOf, type Field } from '@gp/config';

const SERVERS = /(?:nats|tls):\/\/\S+/;

/** The address of the bus, for those that cannot do without and those that can. */
export const natsUrl = (describe = 'NATS servers, separated by commas'): Field<string> =>
  text({ describe, pattern: SERVERS });

/** The settings with which a process proves its identity to the bus, and the bus its own to the process. */
export const identityConfig = {
  natsNkeySeed: optional(
    secret({
      describe: 'Seed of the NATS user that this process is; production requires it',
      pattern: /SU[A-Z2-7]{56}/,
    }),
  ),
  natsCaFile: optional(
    text({
      describe:
        'Certificates (PEM) of the authority that signed the NATS servers’ own; by default those of Node',
    }),
  ),
  allowPlainNats: flag({
    describe: 'Lets production use NATS without TLS and without an identity, for trials on one machine',
    default: false,
  }),
};

export type BusConfig = ConfigOf<typeof identityConfig> & { readonly natsUrl: string };

/** Returns the options of `openBus`; throws a ConfigError when they are wrong or unsafe. */
export function busOptions(c: BusConfig): Pick<BusOptions, 'servers' | 'nkeySeed' | 'caFile'> {
  const faults = listBusFaults(c);
  if (faults.length > 0) throw new ConfigError(faults);
  return { servers: c.natsUrl, nkeySeed: c.natsNkeySeed, caFile: c.natsCaFile };
}

/** Returns a sentence for every fault; none where a process uses no bus. */
export function listBusFaults(c: Partial<BusConfig>, isProduction = isInProduction()): readonly string[] {
  if (c.natsUrl === undefined) return [];
  const isSecure = c.natsUrl.split(',').every((server) => server.startsWith('tls://'));
  const faults: string[] = [];
  if (isProduction && !c.allowPlainNats) {
    if (!isSecure) faults.push('NATS_URL must name tls:// servers in production');
    if (c.natsNkeySeed === undefined) faults.push('NATS_NKEY_SEED is required in production');
  }
  if (c.natsNkeySeed !== undefined && !isUserSeed(c.natsNkeySeed))
    faults.push('NATS_NKEY_SEED must be the seed of a NATS user');
  if (c.natsCaFile !== undefined && !isSecure) faults.push('NATS_CA_FILE needs tls:// servers in NATS_URL');
  if (c.natsCaFile !== undefined && !isReadable(c.natsCaFile)) faults.push('NATS_CA_FILE cannot be read');
  return faults;
}

function isInProduction(): boolean {
  return process.env['NODE_ENV'] === 'production';
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
