import { parseArgs } from 'node:util';
import { openBus } from '@gp/bus';
import { readConfig } from '@gp/config';
import type { Mode, PspCode } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { openPg } from '@gp/pg';
import { createApiKey, revokeApiKey } from './app/api-keys.ts';
import { createMerchant } from './app/create-merchant.ts';
import { activateGateway, connectGateway, disconnectGateway } from './app/gateways.ts';
import type { DashboardParts } from './app/ports.ts';
import { neighboursOn } from './bus/neighbours.ts';
import { cliConfig } from './config.ts';

const USAGE = `merchants: create merchants, their API keys and their gateway connections

  merchants create      --name NAME --email EMAIL                       password on standard input
  merchants key         --merchant ID --mode test|live --name NAME      prints the key, once
  merchants revoke-key  --merchant ID --key ID
  merchants connect     --merchant ID --mode MODE --psp gateway_a|gateway_b   credentials as JSON on standard input
  merchants activate    --merchant ID --mode MODE --psp PSP
  merchants disconnect  --merchant ID --mode MODE --psp PSP

Answers are JSON. Exit codes: 0 done, 2 not a command of ours, 1 refused.`;

type Options = Readonly<Record<string, string | undefined>>;

const actions: Record<string, (parts: DashboardParts, o: Options) => Promise<unknown>> = {
  create: async (parts, o) =>
    createMerchant(parts)({
      name: need(o, 'name'),
      email: need(o, 'email'),
      password: await standardInput(),
    }),
  key: async (parts, o) => {
    const { row, key } = await createApiKey(parts)(actor(o), { mode: modeOf(o), name: need(o, 'name') });
    return { id: row.id, key };
  },
  'revoke-key': async (parts, o) => {
    const row = await revokeApiKey(parts)(actor(o), need(o, 'key'));
    return { id: row.id, revoked_at: row.revokedAt };
  },
  connect: async (parts, o) =>
    connectGateway(parts)(actor(o), {
      ...at(o),
      credentials: JSON.parse(await standardInput()) as Record<string, string>,
    }),
  activate: (parts, o) => activateGateway(parts)(actor(o), at(o)),
  disconnect: async (parts, o) => {
    await disconnectGateway(parts)(actor(o), at(o));
    return { disconnected: true };
  },
};

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  const [verb = '', ...rest] = argv[0] === 'merchants' ? argv.slice(1) : argv;
  const action = Object.hasOwn(actions, verb) ? actions[verb] : undefined;
  if (!action) {
    process.stderr.write(USAGE + '\n');
    return 2;
  }
  const names = ['name', 'email', 'merchant', 'mode', 'psp', 'key'];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    const { values } = parseArgs({ args: rest, options, strict: true });
    const answer = await withParts((parts) => action(parts, values as Options));
    process.stdout.write(JSON.stringify(answer, null, 2) + '\n');
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

/** The outbox is carried by the running dashboard: this process only writes to it. */
async function withParts<T>(work: (parts: DashboardParts) => Promise<T>): Promise<T> {
  const config = readConfig(cliConfig, process.env);
  const db = await openPg({ url: config.databaseUrl, name: 'merchants-cli', max: 1 });
  const bus = await openBus({ servers: config.natsUrl, name: 'merchants-cli' });
  try {
    const pepper = { id: config.apiKeyPepperId, key: Buffer.from(config.apiKeyPepper, 'base64') };
    return await work({ db, wakeRelay: () => undefined, neighbours: neighboursOn(bus), pepper });
  } finally {
    await bus.close();
    await db.close();
  }
}

function need(o: Options, name: string): string {
  const value = o[name];
  if (value === undefined || value === '')
    throw new AppError('validation_error', { message: `--${name} is required` });
  return value;
}

function modeOf(o: Options): Mode {
  const mode = need(o, 'mode');
  if (mode !== 'test' && mode !== 'live')
    throw new AppError('validation_error', { message: '--mode is test or live' });
  return mode;
}

function at(o: Options): { mode: Mode; pspCode: PspCode } {
  const psp = need(o, 'psp');
  if (psp !== 'gateway_a' && psp !== 'gateway_b' && psp !== 'gateway_c')
    throw new AppError('validation_error', { message: '--psp is not a gateway' });
  return { mode: modeOf(o), pspCode: psp };
}

function actor(o: Options) {
  return { merchantId: need(o, 'merchant'), name: 'operator' };
}

async function standardInput(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin) text += String(chunk);
  return text.trim();
}
