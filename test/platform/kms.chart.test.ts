import { beforeAll, describe, expect, it } from '@jest/globals';
import { ask, render, type Manifest } from './helm.ts';
import { listDeployments, listPods, readEnvironment, type Deployed } from './pods.ts';
import { loadSettings, processes } from './processes.ts';

const url = 'https://openbao.vaults.svc:8200';
const values = { kms: { url, caSecret: 'openbao-ca' } };

let objects: Manifest[];
let deployments: Readonly<Record<string, Deployed>>;
let sealing: string[];
beforeAll(async () => {
  objects = await render({ example: 'production', values });
  deployments = listDeployments(objects);
  sealing = [];
  for (const name of Object.keys(deployments))
    if ((await loadSettings(processes[name]!.folder)).has('ENCRYPTION_KEY')) sealing.push(name);
});

type Volume = { readonly name: string; readonly projected?: unknown };

const kmsSettings = ({ container }: Deployed) =>
  Object.fromEntries(
    Object.entries(readEnvironment(container)).filter(([setting]) => setting.startsWith('KMS_')),
  );

describe('a KMS in the chart', () => {
  it('each process that seals logs in under its own role for its own key, and no other process does (Y10)', () => {
    expect(sealing.length).toBeGreaterThan(5);
    for (const [name, deployed] of Object.entries(deployments))
      expect([name, kmsSettings(deployed)]).toEqual([
        name,
        sealing.includes(name)
          ? {
              KMS_URL: url,
              KMS_MOUNT: 'transit',
              KMS_KEY: `group-payments-${name}`,
              KMS_ROLE: `group-payments-${name}`,
              KMS_LOGIN_PATH: 'auth/kubernetes/login',
              KMS_JWT_FILE: '/var/run/secrets/kms/token',
              KMS_CA_FILE: '/etc/kms-ca/ca.crt',
            }
          : {},
      ]);
  });

  it('the files that those settings name are mounted where they are needed, and nowhere else (Y10)', () => {
    for (const { name, spec } of listPods(objects)) {
      const component = name.replace(/^.*?group-payments-/, '');
      const mounts = spec.containers.flatMap(({ volumeMounts = [] }) => volumeMounts);
      const found = mounts.filter((mount) => mount.name.startsWith('kms')).map(({ mountPath }) => mountPath);
      const wanted = sealing.includes(component) ? ['/etc/kms-ca', '/var/run/secrets/kms'] : [];
      expect([name, found.toSorted()]).toEqual([name, wanted]);
    }
  });

  it('the token of an account is good for the KMS only, and ends within ten minutes (Y10)', () => {
    const serviceAccountToken = { path: 'token', audience: 'openbao', expirationSeconds: 600 };
    const volumes = listPods(objects).flatMap(({ spec }) => (spec['volumes'] ?? []) as Volume[]);
    const projected = volumes.filter((volume) => volume.projected);
    expect(projected).toHaveLength(sealing.length);
    for (const volume of projected)
      expect(volume).toEqual({ name: 'kms-token', projected: { sources: [{ serviceAccountToken }] } });
  });

  it('network policies let only processes that seal reach the KMS, at its port (Y10)', () => {
    type Policy = {
      podSelector: { matchLabels: Record<string, string> };
      egress?: { to: unknown; ports: unknown }[];
    };
    const rule = {
      to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'vaults' } } }],
      ports: [{ protocol: 'TCP', port: 8200 }],
    };
    const reaching = objects
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .map(({ spec }) => spec as Policy)
      .filter(({ egress = [] }) => egress.some((one) => JSON.stringify(one) === JSON.stringify(rule)))
      .map(({ podSelector }) => podSelector.matchLabels['app.kubernetes.io/component']);
    expect(reaching.toSorted()).toEqual(sealing.toSorted());
  });

  it('without an address of a KMS no process has anything of it, and an address without TLS is refused (Y10)', async () => {
    const plain = await render({ example: 'production' });
    for (const deployed of Object.values(listDeployments(plain))) expect(kmsSettings(deployed)).toEqual({});
    expect(JSON.stringify(listPods(plain))).not.toContain('kms');
    const unsafe = { kms: { url: 'http://openbao.vaults.svc:8200' } };
    expect((await ask('template', { example: 'production', values: unsafe })).errors).toMatch(/\/kms\/url/);
  });
});
