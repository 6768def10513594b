import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ask, render, type Installation, type Manifest } from './helm.ts';
import { matrix } from './matrix.ts';
import { listDeployments, listPods } from './pods.ts';
import { processes, root } from './processes.ts';

/** Helm waits so long for each hook unless `--timeout` says otherwise. */
const HELM_TIMEOUT_SECONDS = 300;

const isHook = ({ metadata }: Manifest) => metadata.annotations?.['helm.sh/hook'] !== undefined;
const isTest = ({ metadata }: Manifest) => metadata.annotations?.['helm.sh/hook'] === 'test';
const name = ({ kind, metadata }: Manifest) => `${kind}/${metadata.name}`;

/** Values with the migrations as hooks or as plain Jobs. */
function withHooks({ example, values }: Installation, asHooks: boolean): Installation {
  return { ...(example && { example }), values: { ...values, migrations: { asHooks } } };
}

describe('a release that changes between hooks and plain Jobs', () => {
  it.each(matrix)(
    'with %s, no object is a hook in one way and belongs to the release in the other, which Helm refuses',
    async (_title, installation) => {
      const ways = await Promise.all(
        [true, false].map((asHooks) => render(withHooks(installation, asHooks))),
      );
      const hooks = ways.flatMap((objects) => objects.filter(isHook).map(name));
      const owned = ways.flatMap((objects) => objects.filter((object) => !isHook(object)).map(name));
      expect(hooks.length).toBeGreaterThan(2);
      expect(hooks.filter((one) => owned.includes(one))).toEqual([]);
    },
  );
});

describe('the tasks as hooks', () => {
  const tasks = async () =>
    (await render({ example: 'production' })).filter((object) => isHook(object) && !isTest(object));

  it('the tasks and their account go when they have succeeded, so that an uninstall leaves nothing but secrets', async () => {
    for (const object of await tasks()) {
      if (object.kind === 'ExternalSecret') continue;
      expect([name(object), object.metadata.annotations?.['helm.sh/hook-delete-policy']]).toEqual([
        name(object),
        'before-hook-creation,hook-succeeded',
      ]);
    }
  });

  it('the account of a test outlives the tasks', async () => {
    const objects = await render();
    const [test] = listPods(objects.filter(isTest));
    const account = objects.find(
      (object) => object.kind === 'ServiceAccount' && object.metadata.name === test?.spec.serviceAccountName,
    );
    expect(account && isHook(account)).toBe(false);
  });

  it('Helm prints the log of each task', async () => {
    const jobs = (await tasks()).filter(({ kind }) => kind === 'Job');
    expect(jobs.length).toBeGreaterThan(10);
    for (const { metadata } of jobs)
      expect(metadata.annotations?.['helm.sh/hook-output-log-policy']).toBe('hook-succeeded,hook-failed');
  });

  it('each task ends before Helm stops waiting for it', async () => {
    const all = await Promise.all(matrix.map(([, installation]) => render(installation)));
    for (const { kind, spec } of all.flat())
      if (kind === 'Job') expect(spec?.['activeDeadlineSeconds']).toBeLessThan(HELM_TIMEOUT_SECONDS);
  });

  it('the chart’s README names a command that finds what an uninstall leaves', async () => {
    const readme = readFileSync(join(root, 'charts/group-payments/README.md'), 'utf8');
    const selector = /kubectl delete jobs,.*--selector (\S+)/.exec(readme)?.[1] ?? '';
    const wanted = Object.fromEntries(
      selector.split(',').map((pair) => pair.replace('=pay', '=gp').split('=') as [string, string]),
    );
    for (const { kind, metadata } of await tasks())
      if (kind !== 'ExternalSecret') expect(metadata.labels).toMatchObject(wanted);
  });
});

describe('what Helm says after an installation', () => {
  const sandbox = { sandbox: { enabled: true }, hosts: { sandbox: 'sandbox.pay.example.com' } };

  it('people are sent to sign up only where a mail can reach them', async () => {
    const [without, mailed] = await Promise.all([
      ask('notes', { values: sandbox }),
      ask('notes', { values: { mail: { url: 'smtp://relay.mail.svc', from: 'pay@example.com' } } }),
    ]);
    expect(without.output).not.toMatch(/sign up at/i);
    expect(without.output).toMatch(/register a merchant.*merchants create/s);
    expect(mailed.output).toMatch(/Sign up at the dashboard/);
    expect(mailed.output).not.toMatch(/merchants create/);
  });

  it('the first request has every field that the API requires', async () => {
    const { output } = await ask('notes');
    const body = /-d '(.*)'\n\nand open/s
      .exec(output)?.[1]
      ?.replace(/'\$\(date [^)]*\)'/, '2030-01-01T00:00:00Z');
    const openapi = JSON.parse(readFileSync(join(root, 'libs/reference/openapi.json'), 'utf8')) as {
      paths: Record<string, { post: { requestBody: { content: Record<string, { schema: unknown }> } } }>;
      components: { schemas: Record<string, { required: string[] }> };
    };
    const { schema } = openapi.paths['/v1/group-payments']!.post.requestBody.content['application/json']!;
    const { $ref, required } = schema as { $ref?: string; required?: string[] };
    const fields = required ?? openapi.components.schemas[$ref?.split('/').at(-1) ?? '']?.required ?? [];
    expect(fields).toContain('distribution');
    expect(Object.keys(JSON.parse(body ?? '') as object)).toEqual(expect.arrayContaining(fields));
  });
});

describe('commands in the runbooks', () => {
  const pages = globSync(['docs/**/*.md', '{libs,services}/**/README.md', 'k8s/*.md', 'charts/**/*.md'], {
    cwd: root,
    exclude: ['**/node_modules/**'],
  });

  it('no page names a Deployment by the release, whose name it has in part only', () => {
    const named = pages.filter((page) => /deploy(ment)?\/</.test(readFileSync(join(root, page), 'utf8')));
    expect(named).toEqual([]);
  });

  it('every selector names a process of the chart, and finds its Deployment and its pods', async () => {
    const selectors = pages.flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/app\.kubernetes\.io\/component=([\w<>-]+)/g)].map(
        ([, component]) => component!,
      ),
    );
    const known = [...Object.keys(processes), 'installation', '<service>', '<gateway>'];
    expect(selectors.length).toBeGreaterThan(3);
    expect(selectors.filter((one) => !known.includes(one))).toEqual([]);
    for (const [component, { object }] of Object.entries(listDeployments(await render())))
      expect(object.metadata.labels?.['app.kubernetes.io/component']).toBe(component);
  });
});
