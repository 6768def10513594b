import { describe, expect, it } from '@jest/globals';
import { render, type Manifest } from './helm.ts';

type Spec = {
  readonly ingressClassName?: string;
  readonly tls?: readonly { readonly secretName: string; readonly hosts: readonly string[] }[];
  readonly rules: readonly { readonly host: string; readonly http: unknown }[];
};

const HOSTS = [
  'api.pay.example.com',
  'callbacks.pay.example.com',
  'pay.example.com',
  'dashboard.pay.example.com',
];

const listIngresses = (objects: readonly Manifest[]) =>
  objects
    .filter(({ kind }) => kind === 'Ingress')
    .map(({ metadata, spec }) => ({
      name: metadata.name,
      annotations: metadata.annotations,
      spec: spec as unknown as Spec,
    }));
const renderIngress = async (ingress: object) => listIngresses(await render({ values: { ingress } }));
const listRules = (ingresses: Awaited<ReturnType<typeof renderIngress>>) =>
  ingresses.flatMap(({ spec }) => spec.rules).toSorted((a, b) => a.host.localeCompare(b.host));

describe('the ingress of each host', () => {
  const annotations = { 'cert-manager.io/cluster-issuer': 'public', 'example.com/timeout': '60' };

  it('without values of a host there is one Ingress for all, with one certificate, under the name of the release', async () => {
    const [one, ...others] = await renderIngress({ className: 'nginx', annotations });
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      name: 'gp-group-payments',
      annotations,
      spec: { ingressClassName: 'nginx' },
    });
    expect(one!.spec.tls).toEqual([{ secretName: 'group-payments-tls', hosts: HOSTS }]);
  });

  it('a host with another class or other annotations leaves the common Ingress for one of its own, which comes after it', async () => {
    const ingresses = await renderIngress({
      className: 'nginx',
      annotations,
      hosts: {
        callbacks: { annotations: { 'example.com/allow': '192.0.2.0/24', 'example.com/timeout': null } },
        dashboard: { className: 'internal' },
      },
    });
    expect(
      ingresses.map(({ name, annotations: given, spec }) => [name, spec.ingressClassName, given]),
    ).toEqual([
      ['gp-group-payments', 'nginx', annotations],
      [
        'gp-group-payments-callbacks',
        'nginx',
        { 'cert-manager.io/cluster-issuer': 'public', 'example.com/allow': '192.0.2.0/24' },
      ],
      ['gp-group-payments-dashboard', 'internal', annotations],
    ]);
    expect(ingresses.map(({ spec }) => spec.rules.map(({ host }) => host))).toEqual([
      ['api.pay.example.com', 'pay.example.com'],
      ['callbacks.pay.example.com'],
      ['dashboard.pay.example.com'],
    ]);
    expect(ingresses.map(({ spec }) => spec.tls?.map(({ hosts }) => hosts))).toEqual(
      ingresses.map(({ spec }) => [spec.rules.map(({ host }) => host)]),
    );
    expect(listRules(ingresses)).toEqual(listRules(await renderIngress({})));
  });

  it('a certificate of one host needs no Ingress of its own, and an empty name leaves it to the controller', async () => {
    const [one, ...others] = await renderIngress({
      hosts: {
        api: { tlsSecret: 'api-tls' },
        checkout: { tlsSecret: 'api-tls' },
        dashboard: { tlsSecret: '' },
      },
    });
    expect(others).toEqual([]);
    expect(one!.spec.tls).toEqual([
      { secretName: 'api-tls', hosts: ['api.pay.example.com', 'pay.example.com'] },
      { secretName: 'group-payments-tls', hosts: ['callbacks.pay.example.com'] },
    ]);
    const [bare] = await renderIngress({ tlsSecret: '' });
    expect(bare!.spec).not.toHaveProperty('tls');
  });

  it('where every host differs there is no common Ingress', async () => {
    const own = (name: string) => ({ annotations: { 'example.com/name': name } });
    const hosts = Object.fromEntries(
      ['api', 'checkout', 'dashboard', 'callbacks'].map((name) => [name, own(name)]),
    );
    const ingresses = await renderIngress({ hosts });
    expect(ingresses.map(({ name }) => name)).toEqual(
      ['api', 'callbacks', 'checkout', 'dashboard'].map((name) => `gp-group-payments-${name}`),
    );
  });
});
