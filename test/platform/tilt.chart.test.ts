import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { render } from './helm.ts';
import { processes, root } from './processes.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const stars = readdirSync(join(root, 'tilt')).filter((file) => file.endsWith('.star'));
const all = ['Tiltfile', ...stars.map((file) => `tilt/${file}`)].map(read).join('\n');

describe('the Tiltfile', () => {
  it('the Tiltfile is short, and loads every existing part', () => {
    expect(read('Tiltfile').split('\n').length).toBeLessThan(60);
    for (const star of stars) expect(read('Tiltfile')).toContain(`load('./tilt/${star}'`);
  });

  it('the Tiltfile refers to files that exist', () => {
    const paths = [...all.matchAll(/['" ](?:\.\/)?((?:libs|services|charts|k8s|tilt|test)\/[\w./-]+)/g)].map(
      (found) => found[1]!,
    );
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('the Tiltfile copies saved files to folders that belong to the user of the developers’ image', () => {
    const stage = /^FROM built AS dev\n([^]*?)\nFROM /m.exec(read('Dockerfile'))?.[1] ?? '';
    const user = /^USER (\S+)$/m.exec(stage)?.[1];
    const [, owner, folders = ''] = /^RUN chown -R (\S+) (.*)$/m.exec(stage) ?? [];
    expect([owner, owner]).toEqual([expect.any(String), user]);
    const copied = [...all.matchAll(/sync\('\.\/(\w+)', '\/app\/(\w+)'\)/g)].map(([, from, to]) => [
      from,
      to,
    ]);
    expect(copied).toEqual(folders.split(' ').map((folder) => [folder, folder]));
  });

  it('the Tiltfile names the Jobs and Deployments that the chart renders for developers', async () => {
    const objects = await render({ example: 'dev' });
    const names = objects.map(({ metadata }) => metadata.name.replace('gp-', ''));
    for (const name of Object.keys(processes))
      expect(names).toEqual(
        expect.arrayContaining([`group-payments-${name}`, `group-payments-migrate-${name}-1`]),
      );
    expect(names).toContain('group-payments-streams-1');
  });
});
