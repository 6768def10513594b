import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { chart } from './processes.ts';

/** An object of Kubernetes as it was rendered; what is in it is for the test to know. */
export type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, string>>;
};

export type Values = Readonly<Record<string, unknown>>;

/**
 * An example of the chart, or values of one's own over the minimal ones; with the address of a cluster where the chart looks
 * at what is there, as an upgrade of a release there.
 */
export type Installation = {
  readonly example?: string;
  readonly values?: Values;
  readonly kubeconfig?: string;
};

/** How helm ended, with all it said. */
export type Outcome = { readonly code: number; readonly output: string; readonly errors: string };

const helm = process.env['GP_HELM'] ?? 'helm';

export function runHelm(args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(helm, args, { maxBuffer: 32 * 1024 * 1024 }, (error, output, errors) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output, errors });
    });
  });
}

/** Whether helm renders an installation, checks it, or installs it nowhere and prints what it says afterwards. */
type Verb = 'template' | 'lint' | 'notes';
const COMMANDS: Readonly<Record<Verb, readonly string[]>> = {
  template: ['template', 'gp', chart, '--namespace=payments'],
  lint: ['lint', chart, '--strict'],
  notes: ['install', 'gp', chart, '--namespace=payments', '--dry-run=client', '--hide-secret'],
};

/** Asks helm about an installation; a refusal is an outcome like any other. */
export async function ask(verb: Verb, o: Installation = {}): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'gp-chart-'));
  try {
    const own = join(folder, 'values.yaml');
    await writeFile(own, stringify(o.values ?? {}));
    const files = [
      `--values=${join(chart, 'examples', `${o.example ?? 'minimal'}.yaml`)}`,
      `--values=${own}`,
    ];
    const live = ['--dry-run=server', '--is-upgrade', '--disable-openapi-validation'];
    const cluster = o.kubeconfig === undefined ? [] : [`--kubeconfig=${o.kubeconfig}`, ...live];
    return await runHelm([...COMMANDS[verb], ...files, ...cluster]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The objects of an installation that must render. */
export async function render(o: Installation = {}): Promise<Manifest[]> {
  const { code, output, errors } = await ask('template', o);
  if (code !== 0) throw new Error(errors);
  return parseManifests(output);
}

/** The objects in a text of YAML documents. Throws at a key that is there twice. */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors[0]) throw document.errors[0];
    const object = document.toJS() as Manifest | null;
    return object === null ? [] : [object];
  });
}
