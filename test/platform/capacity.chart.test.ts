import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { openCluster } from './api-server.ts';
import { ask, render } from './helm.ts';
import { listDeployments } from './pods.ts';
import { root } from './processes.ts';
import { countConnections, listSizes } from './sizes.ts';

/** What Postgres keeps for its superusers. */
const RESERVED = 3;

const refusal = async (maxConnections: number, values: object = {}, postgres: object = {}) => {
  const { errors } = await ask('template', {
    example: 'production',
    values: { ...values, postgres: { ...postgres, maxConnections } },
  });
  return Number(/opens (\d+) connections to Postgres/.exec(errors)?.[1] ?? 0);
};

describe('connections to Postgres', () => {
  it('the example for production fits into the recommended server', async () => {
    const [cluster] = parseAllDocuments(readFileSync(join(root, 'k8s/production/postgres.yaml'), 'utf8'));
    const allowed = Number(cluster?.getIn(['spec', 'postgresql', 'parameters', 'max_connections']));
    const needed = await countConnections(await render({ example: 'production' }));
    expect(needed).toBeGreaterThan(200);
    expect(needed).toBeLessThanOrEqual(allowed - RESERVED);
  });

  it('the chart refuses more replicas and connections than the server has, and says how many there would be', async () => {
    const needed = await countConnections(await render({ example: 'production' }));
    expect(await refusal(needed)).toBe(0);
    expect(await refusal(needed - 1)).toBe(needed);
    const services = { refund: { replicas: 5, settings: { DATABASE_CONNECTIONS: 9 } } };
    const objects = await render({
      example: 'production',
      values: { services, postgres: { maxConnections: 0 } },
    });
    expect(await refusal(1, { services })).toBe(await countConnections(objects));
  });

  it('with a pooler, the chart counts the sessions of the relays and migrations alone', async () => {
    const poolerUrl = 'postgres://pooler.databases.svc:6432/payments';
    const objects = await render({
      example: 'production',
      values: { postgres: { poolerUrl, maxConnections: 0 } },
    });
    const needed = await countConnections(objects);
    expect(needed).toBeLessThan(100);
    expect(await refusal(needed, {}, { poolerUrl })).toBe(0);
    expect(await refusal(needed - 1, {}, { poolerUrl })).toBe(needed);
  });

  it('a pool of the values is the pool of the process', async () => {
    const values = { defaults: { settings: { DATABASE_CONNECTIONS: 7 } } };
    const deployed = Object.values(listDeployments(await render({ values })));
    for (const { container } of deployed)
      expect(container.env).toContainEqual({ name: 'DATABASE_CONNECTIONS', value: '7' });
  });
});

describe('the sizes in the chart’s README', () => {
  it('the table says what the examples request and open', async () => {
    const readme = readFileSync(join(root, 'charts/group-payments/README.md'), 'utf8');
    const rows = [...readme.matchAll(/^\| (?:minimal|production|quickstart) .*\|$/gm)].map(([row]) =>
      row.replaceAll(/ +/g, ' '),
    );
    expect(rows).toEqual(await listSizes());
  });
});

describe('replicas of a living release', () => {
  const name = 'gp-group-payments-api-gateway';
  /** What the API server notes about who sets a Deployment's fields. */
  const managers = {
    helm: {
      manager: 'helm',
      operation: 'Apply',
      fieldsV1: { 'f:spec': { 'f:replicas': {}, 'f:selector': {} } },
    },
    helmLater: { manager: 'helm', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:selector': {} } } },
    helm3: { manager: 'helm', operation: 'Update', fieldsV1: { 'f:spec': { 'f:selector': {} } } },
    scaler: {
      manager: 'kube-controller-manager',
      operation: 'Update',
      subresource: 'scale',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    },
    restart: {
      manager: 'kubectl-rollout',
      operation: 'Update',
      fieldsV1: { 'f:spec': { 'f:template': {} } },
    },
  };

  const upgrade = async (managedFields: readonly object[]) => {
    const live = { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas: 6 } };
    const cluster = await openCluster([{ ...live, metadata: { name, managedFields } }]);
    try {
      const objects = await render({
        values: { checkSecrets: false },
        kubeconfig: cluster.kubeconfig,
      });
      return listDeployments(objects)['api-gateway']!.object.spec?.['replicas'];
    } finally {
      await cluster.close();
    }
  };

  it.each([
    ['had a fixed number until now', [managers.helm]],
    ['was made by an older Helm, which would take the field away', [managers.helm3, managers.scaler]],
  ])('an upgrade with an autoscaler keeps the replicas of a Deployment that %s', async (_title, fields) => {
    expect(await upgrade(fields)).toBe(6);
  });

  it.each([
    ['its autoscaler has set', [managers.helmLater, managers.scaler]],
    ['somebody has restarted', [managers.helmLater, managers.scaler, managers.restart]],
  ])('an upgrade says nothing of the replicas of a Deployment that %s', async (_title, fields) => {
    expect(await upgrade(fields)).toBeUndefined();
  });
});
