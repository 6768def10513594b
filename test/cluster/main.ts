import { parseArguments, USAGE } from './arguments.ts';
import { say, Unavailable } from './commands.ts';
import { HOSTS, INGRESS_SERVICE, NAMESPACE, NODES, RELEASE } from './constants.ts';
import { kubectl, startControlPlane, startProxy } from './control-plane.ts';
import { makeImages } from './images.ts';
import { findObstacle, readMachine } from './missing.ts';
import { startNode } from './node.ts';
import { here, kept, kubeconfig } from './paths.ts';
import { makeCertificates } from './pki.ts';
import { playDrills } from './drills/run.ts';
import { helm, openIngress, payThroughIngress, readMetrics, release, startAddons } from './platform.ts';
import { buildPrograms, unpackPackages } from './programs.ts';
import { attachInside, closeSpace, openSpace, startInside } from './space.ts';

/** `npm run cluster [-- up | down | exec COMMAND … | drill NAME …]`: the chart on a real Kubernetes on this machine. */
const asked = parseArguments(process.argv.slice(2));
if (asked === undefined) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(64);
}
const obstacle = findObstacle(readMachine());
if (obstacle !== undefined) {
  process.stdout.write(`NOT RUN: the cluster, since ${obstacle}\n`);
} else if (asked.word === 'exec') {
  const env = { ...process.env, KUBECONFIG: kubeconfig('admin'), PATH: `${kept}/bin:${process.env['PATH']}` };
  process.exitCode = await attachInside(asked.command, env);
} else if (asked.word === 'drill') {
  process.exitCode = (await playDrills(asked.names)) ? 0 : 1;
} else if (asked.word === 'down') {
  await closeSpace();
} else {
  await up().catch((error: unknown) => {
    if (!(error instanceof Unavailable)) throw error;
    process.stdout.write(`NOT RUN: the cluster, since ${error.message}\n`);
  });
}

async function up(): Promise<void> {
  unpackPackages();
  buildPrograms();
  const images = await makeImages();
  await closeSpace();
  say('Opening the space of the cluster.');
  await openSpace(
    `127.0.0.1 localhost\n${INGRESS_SERVICE} ${[...new Set(Object.values(HOSTS))].join(' ')}\n`,
  );
  makeCertificates();
  await startControlPlane();
  say('The API answers.');
  await Promise.all(NODES.map((node) => startNode(node, images)));
  startProxy();
  startInside('policies', process.execPath, ['--no-warnings', `${here}/enforce-policies.ts`]);
  startAddons();
  say('Both nodes are ready, and names are answered. Installing the chart.');
  release('install');
  say('Every pod of the release is ready.');
  await openIngress();
  say(payThroughIngress());
  say(`Metrics of ${await readMetrics()} pods are known.`);
  process.stdout.write(helm('test', RELEASE, '--logs'));
  process.stdout.write(kubectl(['get', 'pods', '--namespace', NAMESPACE, '--output', 'wide']));
  say('The cluster runs. `npm run cluster -- exec kubectl get pods -A` looks at it, `-- down` ends it.');
}
