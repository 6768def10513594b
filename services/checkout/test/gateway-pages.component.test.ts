import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openBus, type Bus } from '@gp/bus';
import type { Mode, PspCode } from '@gp/contracts';
import { findManifest, pspCodes } from '@gp/gateway-registry';
import { patientPg, startService, testDatabase, testNats } from '@gp/testing';
import type { OwnServer, ServiceProcess, TestDatabase } from '@gp/testing';
import { upsertActiveGateway } from '../src/db/active-gateways.ts';
import { encryptionKey, found, playNeighbours, schemas, usualAnswers } from './support/checkout.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const golden = JSON.parse(readFileSync(new URL('./gateway-pages.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, unknown>
>;

const vendors = {};
const SANDBOX_PORT = 8090;
const sandbox = Object.fromEntries(pspCodes.flatMap(listPageSettings));
const cases = pspCodes.flatMap((psp) => (['test', 'live'] as const).map((mode) => [psp, mode] as const));

let nats: OwnServer;
let database: TestDatabase;
let others: Bus;
let mode: Mode = 'test';
let revision = 0;

beforeAll(async () => {
  nats = await testNats();
  database = await testDatabase({ schemas });
  others = await openBus({ servers: nats.url, name: 'others' });
  const answers = {
    ...usualAnswers(),
    findByPageToken: async () => ({ ...found, group: { ...found.group, mode } }),
  };
  playNeighbours(others, () => answers, []);
});
afterAll(async () => {
  await others?.close();
  await nats?.stop();
  await database?.drop();
});

describe.each([
  ['the vendors', vendors],
  ['the sandbox', sandbox],
] as const)('checkout with the addresses of %s', (name, settings) => {
  let service: ServiceProcess;
  beforeAll(() => {
    service = startService(main, {
      METRICS_PORT: '0',
      PORT: '0',
      DATABASE_URL: database.url('checkout'),
      ENCRYPTION_KEY: encryptionKey,
      NATS_URL: nats.url,
      ...settings,
    });
  });
  afterAll(() => service.stop());

  it.each(cases)('checkout sends the page that was recorded for %s in %s mode', async (psp, asked) => {
    mode = asked;
    await activate(psp, mode);
    expect(await recordPage(await service.port)).toEqual(golden[`${name}: ${psp}, ${mode}`]);
  });
});

function listPageSettings(psp: PspCode): [name: string, address: string][] {
  const { ports = [], pageSettings } = findManifest(psp).sandbox;
  return Object.entries(pageSettings).map(([setting, { port, path }]) => {
    const number = ports.find(({ name }) => name === port)?.number ?? SANDBOX_PORT;
    return [setting, `http://127.0.0.1:${number}${path}`];
  });
}

async function activate(psp_code: PspCode, ofMode: Mode): Promise<void> {
  const db = await patientPg({ url: database.url('checkout'), name: 'activate', max: 1 });
  const connection = { version: 1, active: true, revoked_at: null, revision: ++revision };
  await upsertActiveGateway(db, { merchant_id: 'm1', mode: ofMode, psp_code, ...connection });
  await db.close();
}

/** The page's policy and the start of its script. Values that differ each time are replaced by their names. */
async function recordPage(port: number) {
  const address = `http://127.0.0.1:${port}/c/${found.group.page_token}`;
  const answer = await fetch(address, { headers: { connection: 'close' } });
  const html = await answer.text();
  const [, bootstrap = ''] = /<script type="application\/json"[^>]*>([^]*?)<\/script>/.exec(html) ?? [];
  return {
    status: answer.status,
    policy: answer.headers.get('content-security-policy')?.replace(/'nonce-[\w-]+'/g, "'nonce'"),
    bootstrap: bootstrap
      .replace(/"token":"[^"]+"/, '"token":"token"')
      .replace(/"expires_at":"[^"]+","can_pay"/, '"expires_at":"soon","can_pay"')
      .replace(/"server_time":"[^"]+"/, '"server_time":"now"'),
  };
}
