import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Unavailable, run, say, show } from './commands.ts';
import { KEDA, KEDA_MODULE, KUBERNETES } from './constants.ts';
import { here, kept, root } from './paths.ts';

/** Programs that kubernetes/kube is, by the name it is called by. */
const NAMES = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-proxy',
  'kube-scheduler',
  'kubectl',
  'kubelet',
];

/** Containers, their network and its rules, with the libraries that a minimal Debian lacks. */
const PACKAGES = [
  ...[
    'containerd',
    'runc',
    'containernetworking-plugins',
    'conntrack',
    'libnetfilter-conntrack3',
    'libnfnetlink0',
  ],
  ...[
    'nftables',
    'libnftables1',
    'libnftnl11',
    'libjansson4',
    'libmnl0',
    'libxtables12',
    'libedit2',
    'nginx',
  ],
];

/** Hash of what the programs of a folder are made from. */
function hashSources(folder: string): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())
    if (/\.(go|mod|sum)$/.test(file)) hash.update(file).update(readFileSync(join(folder, file)));
  return hash.digest('hex');
}

/** Programs that Go builds of the modules of a folder. */
type Build = {
  /** What is said of it. */
  readonly what: string;
  /** The folder of its go.mod. */
  readonly sources: string;
  readonly packages: readonly string[];
  /** The folder of the programs; its `stamp` is a hash of what they were made from. */
  readonly into: string;
  /** Values of variables that the linker sets. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
};

/** Builds etcd, Kubernetes, CoreDNS and metrics-server of their Go modules, once for each version. */
export function buildPrograms(): void {
  const [major, minor] = KUBERNETES.split('.');
  const into = join(kept, 'bin');
  buildOnce({
    what: `Kubernetes ${KUBERNETES} of its Go modules (once; six minutes of two cores)`,
    sources: join(here, 'kubernetes'),
    packages: ['./...'],
    into,
    variables: {
      'component-base/version.gitVersion': `v${KUBERNETES}`,
      'component-base/version.gitMajor': major,
      // The API server takes the versions that it can play from it.
      'component-base/version.gitMinor': minor,
      'client-go/pkg/version.gitVersion': `v${KUBERNETES}`,
    },
  });
  for (const name of NAMES) {
    rmSync(join(into, name), { force: true });
    symlinkSync('kube', join(into, name));
  }
}

/** Builds KEDA of its Go modules, once for each version; returns the folder of its module, which has its manifests. */
export function buildKeda(): string {
  const sources = join(here, 'keda');
  buildOnce({
    what: `KEDA ${KEDA} of its Go modules (once; six minutes of two cores)`,
    sources,
    packages: ['operator', 'adapter'].map((name) => `${KEDA_MODULE}/cmd/${name}`),
    into: join(kept, 'keda'),
  });
  return run(findGo(), ['list', '-m', '-f', '{{.Dir}}', KEDA_MODULE], { cwd: sources, env: GO }).trim();
}

const GO = { CGO_ENABLED: '0', GOTOOLCHAIN: 'local', GOFLAGS: '-p=2 -trimpath' };

const findGo = (): string =>
  orUnavailable('there is no Go to build the programs of the cluster with', () =>
    run('sh', ['.configs/tools.sh', 'go'], { cwd: root }).trim(),
  );

function buildOnce({ what, sources, packages, into, variables = {} }: Build): void {
  const stamp = join(into, 'stamp');
  const made = hashSources(sources);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === made) return;
  say(`Building ${what}.`);
  const go = findGo();
  mkdirSync(into, { recursive: true });
  const set = Object.entries(variables).map(([name, value]) => `-X k8s.io/${name}=${value}`);
  const flags = ['-s', '-w', ...set].join(' ');
  orUnavailable(
    'Go modules could not be had: is the Go module proxy within reach, and Go as new as they want it?',
    () => show(go, ['mod', 'download'], { cwd: sources, env: GO }),
  );
  const build = ['build', '-ldflags', flags, '-o', `${into}/`, ...packages];
  show('nice', ['-n', '10', go, ...build], { cwd: sources, env: GO });
  writeFileSync(stamp, made);
}

/** Unpacks Debian's packages beside the system: nothing is installed, and no service starts. */
export function unpackPackages(): void {
  const folder = join(kept, 'debian');
  const stamp = join(folder, 'stamp');
  const wanted = PACKAGES.join(' ');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say("Unpacking Debian's packages of containers and their network (once).");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'archives'), { recursive: true });
  const download = `apt-get download -q ${wanted} || { apt-get update -q && apt-get download -q ${wanted}; }`;
  orUnavailable("Debian's packages could not be had", () =>
    run('sh', ['-euc', `{ ${download}; } >&2; for file in *.deb; do dpkg-deb -x "$file" ../root; done`], {
      cwd: join(folder, 'archives'),
    }),
  );
  writeFileSync(stamp, wanted);
}

/** A failure of `step` is one of this machine, not of the project. */
export function orUnavailable<T>(why: string, step: () => T): T {
  try {
    return step();
  } catch {
    throw new Unavailable(`${why} (see above).`);
  }
}
