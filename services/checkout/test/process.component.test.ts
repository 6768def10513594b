import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { intentId } from './support/checkout.ts';
import { openService, type Service } from './support/service.ts';

let service: Service;
beforeEach(async () => {
  service = await openService();
});
afterEach(() => service?.close());

async function get(port: number, path: string, o: RequestInit = {}) {
  const headers = { connection: 'close' };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...o, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const readiness = async (port: number) => (await get(port, '/readyz')).status;

it('the service is ready with the bus, replies, and ends with exit code 0', async () => {
  const process = service.launch();
  const port = await process.metricsPort();
  await eventually(async () => (await readiness(port)) === 200 || undefined);
  expect(await service.startPayment()).toMatchObject({ payment_intent_id: intentId });
  expect(await process.stop()).toEqual({ code: 0, signal: null });
});

it.each([
  ['https://pay.example', 'max-age=63072000; includeSubDomains'],
  ['http://pay.example', null],
])('at %s, every response of checkout has one HSTS header or none (X3)', async (CHECKOUT_URL, header) => {
  const process = service.launch({ CHECKOUT_URL, API_URL: CHECKOUT_URL });
  const port = await process.port;
  for (const path of ['/', '/nowhere', '/.well-known/jwks.json', '/embed/v1'])
    expect((await get(port, path)).headers.get('strict-transport-security')).toBe(header);
});

it('strangers find the contact in security.txt, and browsers may report to the address of the policy (Y5, Y6)', async () => {
  const process = service.launch({ SECURITY_CONTACT: 'mailto:security@pay.example' });
  const port = await process.port;
  const contact = await get(port, '/.well-known/security.txt');
  expect([contact.status, contact.text]).toEqual([
    200,
    expect.stringContaining('mailto:security@pay.example'),
  ]);
  const { headers } = await get(port, '/');
  expect(headers.get('content-security-policy')).toMatch(/; report-uri \/csp-reports; report-to csp$/);
  expect(headers.get('reporting-endpoints')).toBe('csp="/csp-reports"');
  const body = { 'csp-report': { 'violated-directive': 'img-src', 'blocked-uri': 'https://evil.example/x' } };
  expect((await get(port, '/csp-reports', { method: 'POST', body: JSON.stringify(body) })).status).toBe(204);
  await eventually(() => process.output().includes('https://evil.example') || undefined);
});

it('the service without the bus is not ready and does not exit; it takes up work when the bus is there', async () => {
  await service.nats.down();
  const process = service.launch();
  const port = await process.metricsPort();
  expect(await readiness(port)).toBe(503);
  await service.nats.up();
  await eventually(async () => (await readiness(port)) === 200 || undefined);
  expect(await eventually(() => service.startPayment())).toMatchObject({ payment_intent_id: intentId });
});

it('every wrong setting is named, and the exit code reports the fault', async () => {
  const process = service.launch({ NATS_URL: 'http://nowhere', CONFIRM_WAIT_MS: '-1' });
  expect(await process.ended).toEqual({ code: 78, signal: null });
  expect(process.output()).toMatch(/NATS_URL[^]*CONFIRM_WAIT_MS/);
});
