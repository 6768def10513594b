import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { toVariableName, type ConfigSchema, type Field } from '@gp/config';
import { services } from '@gp/stack';
import { parse } from 'yaml';
import { gatewayProcesses } from './gateways.ts';

export const root = resolve(import.meta.dirname, '../..');
export const chart = join(root, 'charts/group-payments');

type Part = Readonly<Record<string, unknown>>;
/** Templates of the chart by the settings that they are of. */
type Templates = Readonly<Record<string, string>>;

/** A process in the chart's processes.yaml and gateways.yaml. */
export type Known = {
  readonly folder: string;
  readonly schema: string;
  readonly migrations: readonly string[];
  readonly ports?: Readonly<Record<string, { readonly number: number; readonly setting: string }>>;
  readonly public?: { readonly host: string; readonly paths: readonly string[] };
  readonly seals?: boolean;
  readonly keys?: readonly string[];
  readonly keysForSandbox?: readonly string[];
  readonly keysForMail?: readonly string[];
  readonly optionalKeys?: readonly string[];
  readonly internet?: 'any' | readonly number[];
  readonly callsSandbox?: boolean;
  readonly hearsSandbox?: boolean;
  readonly callsMail?: boolean;
  readonly hasMailbox?: boolean;
  readonly isSandbox?: boolean;
  readonly onlyWithSandbox?: readonly string[];
  readonly set?: Templates;
  readonly setForSandbox?: Templates;
};

const platform = parse(readFileSync(join(chart, 'processes.yaml'), 'utf8')) as Record<string, Part>;
const ofGateways: Readonly<Record<string, Part>> = gatewayProcesses();

/** Every process of the chart, in the order in which the stack starts them. */
export const processes: Readonly<Record<string, Known>> = Object.fromEntries(
  [...new Set([...Object.keys(platform), ...Object.keys(ofGateways)])]
    .sort((a, b) => findPlace(a) - findPlace(b))
    .map((name) => [name, layOver(ofGateways[name], platform[name]) as Known]),
);

function findPlace(name: string): number {
  return services.findIndex((service) => service.name === name);
}

/** As the chart does: objects are laid over each other key by key. */
export function layOver(upper: Part | undefined, lower: Part | undefined): Part {
  const merged: Record<string, unknown> = { ...lower, ...upper };
  for (const [key, value] of Object.entries(lower ?? {})) {
    const over = upper?.[key];
    if (isPart(value) && isPart(over)) merged[key] = { ...value, ...over };
  }
  return merged;
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The configuration that a program declares, loaded from its source: a path, so that no test depends on a service. */
export async function loadConfiguration(folder: string): Promise<ConfigSchema<unknown>> {
  const file = pathToFileURL(join(root, folder, 'src/config.ts')).href;
  const { config } = (await import(file)) as { config: ConfigSchema<unknown> };
  return config;
}

/** The configurations of the programs that run as Jobs, by the name of the program. */
export async function taskConfigurations(): Promise<Readonly<Record<string, ConfigSchema<unknown>>>> {
  const file = pathToFileURL(join(root, 'services/installation/src/config.ts')).href;
  const { configurations } = (await import(file)) as {
    configurations: Readonly<Record<string, ConfigSchema<unknown>>>;
  };
  return configurations;
}

/** Its settings by their environment variables. */
export async function loadSettings(folder: string): Promise<ReadonlyMap<string, Field<unknown>>> {
  const { shape } = await loadConfiguration(folder);
  return new Map(Object.entries(shape).map(([key, field]) => [toVariableName(key), field]));
}
