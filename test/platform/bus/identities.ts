import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildPermissions, type BusAccess, type ConsumeOptions, type Permissions } from '@gp/bus';
import { pspCodes } from '@gp/gateway-registry';
import { buildAdapterAccess } from '@gp/gateway';
import { services } from '@gp/stack';
import { root } from '../processes.ts';

/** Programs with an identity that are no service. */
const TASKS = ['services/installation', 'services/operator'];

/** A person with the command line of NATS; no process has this identity. */
const administrator: Permissions = { publish: { allow: ['>'] }, subscribe: { allow: ['>'] } };

/** The permissions of every identity on the bus, from what its source declares. */
export async function readIdentities(): Promise<Readonly<Record<string, Permissions>>> {
  const adapters = pspCodes.map(buildAdapterAccess);
  const adapterNames = new Set(adapters.map(({ name }) => name));
  const folders = services.filter(({ name }) => !adapterNames.has(name)).map(({ folder }) => folder);
  const declared = await Promise.all([...folders, ...TASKS].map(readAccess));
  const all = [...declared, ...adapters].sort((a, b) => (a.name < b.name ? -1 : 1));
  const granted = all.map((access) => [access.name, buildPermissions(access)] as const);
  return { administrator, ...Object.fromEntries(granted) };
}

/** What a program declares, loaded from its source by path, and its subscriptions where it has some. */
export async function readAccess(folder: string): Promise<BusAccess> {
  const { access } = await load<{ access: BusAccess }>(folder, 'access');
  if (!existsSync(join(root, folder, 'src/bus/subscriptions.ts'))) return access;
  const { subscriptions } = await load<{ subscriptions: (parts: unknown) => ConsumeOptions[] }>(
    folder,
    'subscriptions',
  );
  return { ...access, consumes: subscriptions(anything) };
}

async function load<T>(folder: string, file: string): Promise<T> {
  return (await import(pathToFileURL(join(root, folder, `src/bus/${file}.ts`)).href)) as T;
}

/** Stands for the parts of a service: subscriptions only pass them on to their handlers. */
const anything: unknown = new Proxy(() => anything, { get: () => anything });
