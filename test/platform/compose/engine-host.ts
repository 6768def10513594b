import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  GenericContainer,
  getContainerRuntimeClient,
  ImageName,
  Network,
  StartupCheckStrategy,
  type ContainerRuntimeClient,
  type StartedNetwork,
  type StartedTestContainer,
  type StartupStatus,
} from 'testcontainers';
import { root } from '../processes.ts';
import { readComposeFile, type ComposeService, type Mount } from './compose-file.ts';
import { becomesHealthy, type Ended, type Host, type Serving } from './run-containers.ts';

/** How long building the image, and how long a container that ends, may take, ms. */
const ENDS_WITHIN_MS = 300_000;
const STOPS_WITHIN_MS = 60_000;

/**
 * Returns the container engine of this machine, which has the official images by then; undefined, after a line that says NOT RUN
 * and why, where none answers or the images cannot be had.
 */
export async function findEngine(): Promise<ContainerRuntimeClient | undefined> {
  try {
    const engine = await getContainerRuntimeClient();
    for (const { image } of Object.values(readComposeFile().services))
      if (!isOwn(image)) await engine.image.pull(ImageName.fromString(image));
    return engine;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`NOT RUN: the containers of compose.yaml in a container engine. ${reason}\n`);
    return undefined;
  }
}

/** Returns whether an image of the compose file is the platform's. */
const isOwn = (image: string): boolean => image.startsWith('${GP_IMAGE');

/**
 * Runs the containers of the compose file in a container engine: the built image, and the official images of Postgres and
 * NATS. `GP_IMAGE` names a built image; otherwise it is built here. A folder of this machine stands for each volume and for each
 * folder in memory, because parts of volumes need Docker 26 and podman has no owners for the latter; one network stands for both.
 */
export async function openEngineHost(engine: ContainerRuntimeClient): Promise<Host> {
  const { services, volumes } = readComposeFile();
  const image = process.env['GP_IMAGE'] ?? (await buildImage());
  const folder = await mkdtemp(join(tmpdir(), 'compose-engine-'));
  for (const source of Object.keys(volumes)) await makeVolume(join(folder, source));
  for (const [name, { tmpfs = [] }] of Object.entries(services))
    for (const entry of tmpfs) await makeVolume(findMemory(folder, name, entry));
  const network = await new Network().start();
  const all = new Set<StartedTestContainer>();

  async function start(name: string, words: readonly string[], until: Until): Promise<StartedTestContainer> {
    const container = new ComposeContainer(services[name]!, { name, image, words, folder, network });
    const started = await container.withWaitStrategy(until).withStartupTimeout(ENDS_WITHIN_MS).start();
    all.add(started);
    return started;
  }

  const inspect = async (started: StartedTestContainer) =>
    (await engine.container.inspect(engine.container.getById(started.getId()))).State;
  const readLog = async (started: StartedTestContainer) =>
    text(await engine.container.logs(engine.container.getById(started.getId())));

  return {
    async run(name, words): Promise<Ended> {
      const started = await start(name, words, new Until((isRunning) => !isRunning));
      const { ExitCode: code } = await inspect(started);
      const out = await readLog(started);
      all.delete(started);
      await started.stop();
      return { code, out, errors: '' };
    },
    async serve(name): Promise<Serving> {
      const started = await start(name, [], new Until(() => true));
      const [, ...test] = services[name]!.healthcheck!.test;
      await becomesHealthy({
        isHealthy: async () => (await started.exec(test).catch(() => undefined))?.exitCode === 0,
        hasEnded: async () => !(await inspect(started)).Running,
        explain: async () => `${name} was never healthy:\n${await readLog(started)}`,
      });
      return {
        async stop() {
          await engine.container.stop(engine.container.getById(started.getId()), {
            timeout: STOPS_WITHIN_MS,
          });
          return (await inspect(started)).ExitCode;
        },
      };
    },
    async remove() {
      await Promise.all([...all].map((started) => started.stop()));
      await network.stop();
      await emptyFolder(image, folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until a container runs, or has ended. */
class Until extends StartupCheckStrategy {
  readonly #isReached: (isRunning: boolean) => boolean;
  constructor(isReached: (isRunning: boolean) => boolean) {
    super();
    this.#isReached = isReached;
  }

  override async checkStartupState(
    ...[docker, id]: Parameters<StartupCheckStrategy['checkStartupState']>
  ): Promise<StartupStatus> {
    const { State: state } = await docker.getContainer(id).inspect();
    return this.#isReached(state.Running) ? 'SUCCESS' : 'PENDING';
  }
}

type Place = {
  readonly name: string;
  /** The platform's image. */
  readonly image: string;
  readonly words: readonly string[];
  /** Has a folder for each volume. */
  readonly folder: string;
  readonly network: StartedNetwork;
};

/** One container of the compose file, with the same restrictions. */
class ComposeContainer extends GenericContainer {
  constructor(service: ComposeService, { name, image, words, folder, network }: Place) {
    super(isOwn(service.image) ? image : service.image);
    const { entrypoint, command = [], environment = {}, volumes = [], tmpfs = [] } = service;
    this.withUser(service.user)
      .withEnvironment({ ...environment })
      .withBindMounts([
        ...volumes.map((mount) => toBind(folder, mount)),
        ...tmpfs.map((entry) => ({ source: findMemory(folder, name, entry), target: findTarget(entry) })),
      ])
      .withDroppedCapabilities(...(service['cap_drop'] as string[]))
      .withSecurityOpt(...(service['security_opt'] as string[]));
    if (entrypoint) this.withEntrypoint([...entrypoint]);
    if (command.length + words.length > 0) this.withCommand([...command, ...words]);
    if (service.network_mode) this.withNetworkMode(service.network_mode);
    else this.withNetwork(network).withNetworkAliases(name);
    this.hostConfig.ReadonlyRootfs = service['read_only'] === true;
    this.hostConfig.GroupAdd = (service['group_add'] as string[] | undefined) ?? [];
  }
}

/** Returns the folder of a container for an entry such as `/tmp:mode=0700`. */
const findTarget = (tmpfs: string): string => tmpfs.split(':')[0] ?? '';
/** Returns the folder of this machine that stands for it. */
const findMemory = (folder: string, name: string, tmpfs: string): string =>
  join(folder, 'tmpfs', name, findTarget(tmpfs));

function toBind(folder: string, { type, source, target, read_only: isReadOnly, volume }: Mount) {
  const path = type === 'bind' ? resolve(root, source) : join(folder, source, volume?.subpath ?? '');
  return { source: path, target, mode: isReadOnly === true ? ('ro' as const) : ('rw' as const) };
}

/** Every user of a container may write to its volumes; the folder around them is ours alone. */
async function makeVolume(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await chmod(path, 0o777);
}

async function buildImage(): Promise<string> {
  const name = 'group-payments:compose-test';
  await GenericContainer.fromDockerfile(root).withTarget('run').build(name, { deleteOnExit: false });
  return name;
}

/** Removes what users of containers have written, which we may not remove ourselves. */
async function emptyFolder(image: string, folder: string): Promise<void> {
  const remove =
    "for (const name of fs.readdirSync('/volumes')) fs.rmSync('/volumes/' + name, { recursive: true })";
  const container = await new GenericContainer(image)
    .withUser('0')
    .withEntrypoint(['/nodejs/bin/node', '--eval', remove])
    .withBindMounts([{ source: folder, target: '/volumes', mode: 'rw' }])
    .withWaitStrategy(new Until((isRunning) => !isRunning))
    .start();
  await container.stop();
}
