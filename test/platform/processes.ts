import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { variableOf, type ConfigSchema, type Field } from '@gp/config';
import { parse } from 'yaml';

export const root = resolve(import.meta.dirname, '../..');
export const chart = join(root, 'charts/group-payments');

/** What the chart's processes.yaml says of a process. */
export type Known = {
  readonly folder: string;
  readonly schema: string;
  readonly migrations: readonly string[];
  readonly ports?: Readonly<Record<string, { readonly number: number; readonly setting: string }>>;
  readonly public?: { readonly host: string; readonly paths: readonly string[] };
  readonly keys?: readonly string[];
  readonly optionalKeys?: readonly string[];
  readonly internet?: 'any' | readonly number[];
  readonly callsSandbox?: boolean;
  readonly hearsSandbox?: boolean;
  readonly callsMail?: boolean;
  readonly isSandbox?: boolean;
  readonly onlyWithSandbox?: readonly string[];
};

export const processes: Readonly<Record<string, Known>> = parse(
  readFileSync(join(chart, 'processes.yaml'), 'utf8'),
  { merge: true },
) as Record<string, Known>;

/** The configuration that a program declares, loaded from its source: a path, so that no test depends on a service. */
export async function configurationOf(folder: string): Promise<ConfigSchema<unknown>> {
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
export async function settingsOf(folder: string): Promise<ReadonlyMap<string, Field<unknown>>> {
  const { shape } = await configurationOf(folder);
  return new Map(Object.entries(shape).map(([key, field]) => [variableOf(key), field]));
}
