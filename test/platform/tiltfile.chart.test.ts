import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { listPods } from './pods.ts';
import { chart, processes, root } from './processes.ts';
import { evaluate, type Resource } from './tilt.ts';

const names = Object.keys(processes);
const migrations = names.map((name) => `migrate-${name}`);
const cluster = { context: 'kind-developer', namespace: 'trying-out' };

let resources: ReadonlyMap<string, Resource>;
beforeAll(async () => {
  const evaluation = await evaluate(cluster);
  if ('refused' in evaluation) throw new Error(evaluation.refused);
  ({ resources } = evaluation);
});

const the = (name: string): Resource => resources.get(name)!;
const labelled = (label: string | undefined): string[] =>
  [...resources].filter(([, resource]) => resource.label === label).map(([name]) => name);

function readScripts(folder: string): Readonly<Record<string, string>> {
  const read = readFileSync(join(root, folder, 'package.json'), 'utf8');
  return (JSON.parse(read) as { scripts: Record<string, string> }).scripts;
}

describe('the Tiltfile, evaluated by Tilt', () => {
  it('the Tiltfile uses a remote cluster only when it is named', async () => {
    const remote = { context: 'production', namespace: 'payments' };
    expect(await evaluate(remote)).toEqual({ refused: expect.stringContaining('production') });
    expect(await evaluate(remote, ['--context=production'])).toHaveProperty('resources');
  });

  it('the Tiltfile groups every process, every task, every server and every button', () => {
    expect(labelled('services').toSorted()).toEqual(names.toSorted());
    expect(labelled('installation').toSorted()).toEqual([...migrations, 'streams'].toSorted());
    expect(labelled('servers').toSorted()).toEqual(['nats', 'postgres']);
    expect(labelled('telemetry').toSorted()).toEqual(['collector', 'grafana', 'prometheus', 'traces']);
    expect(labelled('actions').length).toBeGreaterThan(4);
    // The remaining objects have no pod to wait for.
    expect(labelled(undefined)).toEqual(['uncategorized']);
    expect(listPods(the('uncategorized').objects)).toEqual([]);
  });

  it('the Tiltfile starts servers, then schemas and streams, then services', () => {
    for (const name of migrations) expect(the(name).after).toEqual(['postgres']);
    expect(the('streams').after).toEqual(['nats']);
    for (const name of names)
      expect(the(name).after.toSorted()).toEqual([`migrate-${name}`, 'streams'].toSorted());
  });

  it('the Tiltfile puts everything into the namespace of the chosen context', () => {
    const elsewhere = [...resources.values()]
      .flatMap(({ objects }) => objects)
      .map(({ metadata }) => (metadata as { namespace?: string }).namespace ?? cluster.namespace);
    expect(new Set(elsewhere)).toEqual(new Set([cluster.namespace]));
  });

  it('the Tiltfile forwards every port to the address that the installation names, and no two to one', () => {
    const { urls } = parse(readFileSync(join(chart, 'examples/dev.yaml'), 'utf8')) as {
      urls: Record<string, string>;
    };
    const taken: number[] = [];
    for (const [name, { objects, forwards }] of resources) {
      const ports = listPods(objects).flatMap(({ spec }) =>
        spec.containers.flatMap((one) => one.ports ?? []),
      );
      const open = ports.map(({ containerPort }) => containerPort);
      for (const { localPort, containerPort } of forwards)
        expect([name, open]).toEqual([name, expect.arrayContaining([containerPort || localPort])]);
      taken.push(...forwards.map(({ localPort }) => localPort));
    }
    expect(new Set(taken).size).toBe(taken.length);
    expect(taken).toEqual(
      expect.arrayContaining(Object.values(urls).map((url) => Number(new URL(url).port))),
    );
  });
});

describe('a saved file, as Tilt understood it', () => {
  const ofPlatform = (): [string, Resource][] =>
    [...resources].filter(([name]) => [...names, ...migrations, 'streams'].includes(name));

  it('a saved file reaches a process through a developers’ image that runs its source', () => {
    for (const [name, { image, objects }] of ofPlatform()) {
      expect([name, image?.selector, image?.BuildDetails.target]).toEqual([name, 'group-payments', 'dev']);
      for (const { spec } of listPods(objects)) {
        const source = spec.containers[0]!.args.find((arg) => /\.[jt]s$/.test(arg))!;
        expect([source, existsSync(join(root, source))]).toEqual([expect.stringMatching(/\.ts$/), true]);
      }
    }
  });

  it('a saved file is copied to its place in the image, and pages are built there', () => {
    const { syncs, execs, stopPaths } = the('checkout').image!.LiveUpdateSpec;
    expect(syncs.map(({ localPath, containerPath }) => [localPath, containerPath])).toEqual(
      ['libs', 'services'].map((folder) => [folder, `/app/${folder}`]),
    );
    expect(stopPaths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    for (const { triggerPaths } of execs) {
      expect(triggerPaths).toHaveLength(1);
      expect(readScripts(triggerPaths[0]!)['build']).toMatch(/vite build/);
    }
  });

  it('a saved page is built in the pods that serve it, and nowhere else', () => {
    const { execs } = the('checkout').image!.LiveUpdateSpec;
    /** The pages that a pod of this name would build: its `npm` and `touch` only say where they are. */
    const builtIn = (pod: string): string[] =>
      execs.flatMap(({ args: [shell = '', ...args] }) => {
        const told = `hostname() { echo ${pod}; }; npm() { pwd; }; touch() { [ -f "$1" ]; };`;
        const said = execFileSync(shell, [args[0]!, told + args[1]!], { cwd: root, encoding: 'utf8' });
        return said === '' ? [] : [said.trim().slice(root.length + 1)];
      });
    expect(builtIn('group-payments-checkout-5d8f-abcde')).toEqual(['services/checkout/web']);
    expect(builtIn('group-payments-merchant-dashboard-5d8f-abcde')).toEqual([
      'services/merchant-dashboard/web',
    ]);
    for (const other of ['group-ledger-5d8f', 'migrate-checkout-1'])
      expect(builtIn(`group-payments-${other}-abcde`)).toEqual([]);
  });

  it('a saved file does not run a task again, which would need a new image', () => {
    for (const name of names) expect(the(name).runs).toBe('at start and at every change');
    for (const name of [...migrations, 'streams']) expect(the(name).runs).toBe('at start, then by a click');
  });
});

describe('the buttons of Tilt', () => {
  it('the buttons of Tilt wait for a click, block nothing, and start files that exist', () => {
    const { stderr } = spawnSync('sh', ['tilt/buttons.sh'], { cwd: root, encoding: 'utf8' });
    const words = /^usage: buttons.sh (\S+)/.exec(stderr)?.[1]?.split('|');
    for (const name of labelled('actions')) {
      const { runs, isParallel, command } = the(name);
      expect([name, runs, isParallel]).toEqual([name, 'by a click', true]);
      const [, how, word] = /^(npm|sh tilt\/buttons\.sh) (\S+)/.exec(command.at(-1)!) ?? [];
      expect(how === 'npm' ? Object.keys(readScripts('.')) : words).toContain(word);
    }
  });

  it('the buttons of Tilt make every schema and the streams again when data is reset', () => {
    const [, tasks = ''] = /^sh tilt\/buttons\.sh reset (.*)$/.exec(the('reset data').command.at(-1)!) ?? [];
    expect(tasks.split(' ').toSorted()).toEqual([...migrations, 'streams'].toSorted());
  });
});
