import { describe, expect, it } from '@jest/globals';
import { ask, render } from './helm.ts';
import { listPods } from './pods.ts';

const LONGEST_NAME = 63;

describe('names of objects', () => {
  it.each([
    ['nameOverride', 'pay', 'gp-pay'],
    ['fullnameOverride', 'money', 'money'],
  ])(
    '%s is in the name of every object, and processes find each other by it',
    async (value, given, prefix) => {
      const objects = await render({ example: 'quickstart', values: { [value]: given } });
      for (const { kind, metadata } of objects)
        expect([kind, metadata.name]).toEqual([kind, expect.stringMatching(new RegExp(`^${prefix}(-|$)`))]);
      const text = JSON.stringify(objects);
      expect(text).toContain(`http://${prefix}-psp-sandbox:8090`);
      expect(text).toContain(`nats://${prefix}-nats:4222`);
      expect(text).not.toContain('gp-group-payments');
    },
  );

  it('the longest name that is allowed fits into every object at a high revision, and a longer one is refused', async () => {
    const longest = 'p'.repeat(32);
    const objects = await render({
      values: { fullnameOverride: longest, migrations: { asHooks: false } },
    });
    for (const { kind, metadata } of objects) {
      const revision = kind === 'Job' ? 2 : 0;
      expect(metadata.name.length + revision).toBeLessThanOrEqual(LONGEST_NAME);
    }
    const { errors } = await ask('template', { values: { fullnameOverride: `${longest}p` } });
    expect(errors).toMatch(/\/fullnameOverride/);
  });
});

describe('labels and annotations of all objects', () => {
  const values = {
    commonLabels: { team: 'payments' },
    commonAnnotations: { 'example.com/owner': 'payments' },
    monitoring: { podMonitor: { labels: { team: 'observers', release: 'prometheus' } } },
  };

  it.each(['production', 'quickstart', 'minimal'])(
    'with %s every object and pod has the label, every object the annotation, and hooks stay hooks',
    async (example) => {
      const [plain, objects] = await Promise.all([render({ example }), render({ example, values })]);
      for (const { kind, metadata } of objects) {
        const name = `${kind}/${metadata.name}`;
        expect([name, metadata.labels?.['team']]).toEqual([name, 'payments']);
        expect([name, metadata.annotations]).toMatchObject([name, values.commonAnnotations]);
      }
      for (const { name, labels } of listPods(objects))
        expect([name, labels['team']]).toEqual([name, 'payments']);
      const hooks = (all: typeof objects) =>
        all.map(({ metadata }) => [metadata.name, metadata.annotations?.['helm.sh/hook']]);
      expect(hooks(plain).filter(([, hook]) => hook !== undefined).length).toBeGreaterThan(1);
      expect(hooks(objects)).toEqual(hooks(plain));
    },
  );

  it('no selector has the label, since that of a Deployment never changes', async () => {
    const selectors = (await render({ values })).map(({ spec }) => JSON.stringify(spec?.['selector'] ?? ''));
    expect(selectors.filter((one) => one.includes('team'))).toEqual([]);
  });

  it.each([
    ['commonLabels', { commonLabels: { 'app.kubernetes.io/part-of': 'shop' } }],
    ['podLabels', { services: { refund: { podLabels: { 'app.kubernetes.io/component': 'money' } } } }],
  ])('a label by which the chart finds its objects is refused in %s', async (value, given) => {
    const { code, errors } = await ask('template', { values: given });
    expect(code).not.toBe(0);
    expect(errors).toMatch(new RegExp(`\`${value}\`.* has the label app\\.kubernetes\\.io/`));
  });
});
