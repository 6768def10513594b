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
import { KUBERNETES } from './constants.ts';
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

/** Hash of what the programs of Kubernetes are made from. */
function hashSources(folder: string): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())
    if (/\.(go|mod|sum)$/.test(file)) hash.update(file).update(readFileSync(join(folder, file)));
  return hash.digest('hex');
}

/** Builds etcd, Kubernetes, CoreDNS and metrics-server of their Go modules, once for each version. */
export function buildPrograms(): void {
  const bin = join(kept, 'bin');
  const stamp = join(bin, 'stamp');
  const sources = join(here, 'kubernetes');
  const made = hashSources(sources);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === made) return;
  say(`Building Kubernetes ${KUBERNETES} of its Go modules (once; six minutes of two cores).`);
  const go = orUnavailable('there is no Go to build Kubernetes with', () =>
    run('sh', ['.configs/tools.sh', 'go'], { cwd: root }).trim(),
  );
  mkdirSync(bin, { recursive: true });
  const [major, minor] = KUBERNETES.split('.');
  const versions = {
    'component-base/version.gitVersion': `v${KUBERNETES}`,
    'component-base/version.gitMajor': major,
    // The API server takes the versions that it can play from it.
    'component-base/version.gitMinor': minor,
    'client-go/pkg/version.gitVersion': `v${KUBERNETES}`,
  };
  const set = Object.entries(versions).map(([name, value]) => `-X k8s.io/${name}=${value}`);
  const flags = ['-s', '-w', ...set].join(' ');
  const env = { CGO_ENABLED: '0', GOTOOLCHAIN: 'local', GOFLAGS: '-p=2 -trimpath' };
  orUnavailable("Kubernetes' modules could not be had: is the Go module proxy within reach?", () =>
    show(go, ['mod', 'download'], { cwd: sources, env }),
  );
  show('nice', ['-n', '10', go, 'build', '-ldflags', flags, '-o', `${bin}/`, './...'], { cwd: sources, env });
  for (const name of NAMES) {
    rmSync(join(bin, name), { force: true });
    symlinkSync('kube', join(bin, name));
  }
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
