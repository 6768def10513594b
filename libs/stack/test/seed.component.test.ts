import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { findManifest, pspCodes } from '@gp/gateway-registry';
import { portsFrom } from '../src/ports.ts';
import { seedMerchants, type DemoMerchant } from '../src/seed.ts';

let dataDir: string;
/** Stands in for the sandbox's control interface. */
let sandbox: Server;
let opened: { path: string | undefined; body: unknown }[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'group-payments-seed-'));
  opened = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    opened.push({ path: `${request.method} ${request.url}`, body: await json(request) });
    response.writeHead(200, { connection: 'close' }).end('{}');
  };
  sandbox = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1');
  await once(sandbox, 'listening');
});
afterEach(async () => {
  sandbox.close();
  await once(sandbox, 'close');
  await rm(dataDir, { recursive: true, force: true });
});

const merchant = (name: string, gateway: DemoMerchant['gateway']): DemoMerchant => ({
  ...{ name, gateway, merchant_id: `id of ${name}` },
  ...{ email: 'a@merchants.example', password: 'p', test_key: 't', live_key: 'l' },
});

it('kept demo merchants get their callbacks at the ports of the newest start', async () => {
  const alone = pspCodes.map((code) =>
    merchant(`Demo ${findManifest(code).title.replace('Gateway ', '')}`, code),
  );
  const multi = merchant('Demo Multi', 'multi');
  const kept = [...alone, multi, merchant('Demo None', null)];
  await writeFile(join(dataDir, 'merchants.json'), JSON.stringify(kept));
  const ports = {
    ...portsFrom({ GP_PORT_BASE: '23400' }),
    sandbox: (sandbox.address() as AddressInfo).port,
  };

  expect(await seedMerchants(ports, dataDir)).toEqual(kept);

  const expected = pspCodes.flatMap((code, index) =>
    [alone[index], multi].map((owner) => ({
      path: `POST /control/${code}/accounts`,
      body: {
        name: owner?.merchant_id,
        display_name: owner?.name,
        webhook_url: `http://127.0.0.1:${ports.callbacks[code]}/callbacks/${code}`,
      },
    })),
  );
  expect(opened).toHaveLength(expected.length);
  expect(opened).toEqual(expect.arrayContaining(expected));
});
