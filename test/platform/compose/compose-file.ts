import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../processes.ts';

/** The compose file, below the root of the project. */
export const FILE = 'compose.yaml';

export type Mount = {
  readonly type: 'volume' | 'bind';
  readonly source: string;
  readonly target: string;
  readonly read_only?: boolean;
  readonly volume?: { readonly subpath: string };
};

/** A container of the compose file, with what it takes over from shared parts. */
export type ComposeService = {
  readonly image: string;
  readonly user: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly networks?: readonly string[];
  readonly network_mode?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly Mount[];
  readonly tmpfs?: readonly string[];
  readonly profiles?: readonly string[];
  readonly restart?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
} & Readonly<Record<string, unknown>>;

export type ComposeFile = {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
} & Readonly<Record<string, unknown>>;

/** Reads the compose file as Docker Compose does: `<<` takes over what another part has. */
export function readComposeFile(): ComposeFile {
  // The shared parts are taken over by every container: more often than the parser expects of a file from a stranger.
  const options = { merge: true, maxAliasCount: -1 };
  return parse(readFileSync(join(root, FILE), 'utf8'), options) as ComposeFile;
}

/** Returns the file of our image that a container runs; undefined for one of another image. */
export function findEntry({ command = [], entrypoint = [] }: ComposeService): string | undefined {
  return [...entrypoint, ...command].find((word) => /^services\/.+\.js$/.test(word));
}

/** Returns the folder of the volume with secrets that a container has mounted. */
export function findSecretsMount({ volumes = [] }: ComposeService): Mount | undefined {
  return volumes.find(({ source }) => source === 'secrets');
}
