import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { listSandboxPorts, pspCodes } from '@gp/gateway-registry';
import { MOST_REPLICAS, portsFrom } from '../src/ports.ts';
import { areFree, awaitPortFree } from '../src/servers/port.ts';
import { services } from '../src/services.ts';

const all = (base?: string) => {
  const { metrics, replica, sandboxPorts, callbacks, ...ports } = portsFrom(
    base === undefined ? {} : { GP_PORT_BASE: base },
  );
  const replicas = Array.from({ length: MOST_REPLICAS }, (_, index) => Object.values(replica(index)));
  const ofGateways = [...Object.values(sandboxPorts), ...Object.values(callbacks)];
  return [
    ...Object.values(ports),
    ...ofGateways,
    ...services.map((_, index) => metrics(index)),
    ...replicas.flat(),
  ];
};

it('the ports are the published ones without GP_PORT_BASE', () => {
  const { metrics, replica: _further, ...ports } = portsFrom({});
  expect(ports).toEqual({
    api: 8080,
    checkout: 8081,
    dashboard: 8082,
    shop: 8083,
    sandbox: 8090,
    sandboxPorts: Object.fromEntries(listSandboxPorts().map(({ name, number }) => [name, number])),
    callbacks: Object.fromEntries(pspCodes.map((code, index) => [code, 8093 + index])),
    control: 8099,
    traces: 8100,
    nats: 10222,
    postgres: 10432,
  });
  expect(metrics(0)).toBe(9101);
});

it.each(['20100', '21000'])(
  'all ports move together, so that stacks at 20000 and %s do not meet',
  (other) => {
    const [first, second] = [all('20000'), all(other)];
    expect(first).toEqual(all().map((port) => port - 8080 + 20_000));
    expect(new Set([...first, ...second]).size).toBe(first.length * 2);
  },
);

it.each(['', '80', '30001', '8080.5', 'x', '-1', '65535'])(
  'the port base %j is refused with a sentence',
  (base) => {
    expect(() => portsFrom({ GP_PORT_BASE: base })).toThrow(
      'GP_PORT_BASE must be a whole number from 1024 to 30000',
    );
  },
);

it('a port that another program has is waited for, and refused when the patience is over', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await expect(awaitPortFree(port, 'the API', 300)).rejects.toThrow(
    `Port ${port} on 127.0.0.1, wanted for the API, is already in use.`,
  );
  expect(await areFree([port])).toBe(false);
  const freed = awaitPortFree(port, 'the API');
  other.close();
  await freed;
  expect(await areFree([port])).toBe(true);
});
