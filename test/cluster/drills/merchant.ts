import { readFileSync } from 'node:fs';
import { openDashboard } from '../../support/dashboard.ts';
import type { Place } from './endpoint.ts';

/** Returns what the environment gives a program of a drill; throws where it gives nothing. */
export function given(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is missing`);
  return value;
}

/** Where the platform is, as the outside names it. */
export const readHosts = () => ({
  api: given('API_URL'),
  checkout: given('CHECKOUT_URL'),
  dashboard: given('DASHBOARD_URL'),
  sandbox: given('SANDBOX_URL'),
});

/** Where the program's webhook endpoints are to be. */
export const readPlace = (): Place => ({
  address: given('ENDPOINT_ADDRESS'),
  key: readFileSync(given('ENDPOINT_KEY'), 'utf8'),
  certificate: readFileSync(given('ENDPOINT_CERTIFICATE'), 'utf8'),
});

/** Signs in as the merchant, whose gateway is connected, and makes a key for this drill. */
export async function makeKey(): Promise<string> {
  const person = { email: given('MERCHANT_EMAIL'), password: given('MERCHANT_PASSWORD') };
  const dashboard = await openDashboard(readHosts(), person);
  return String((await dashboard.post('keys', { mode: 'test', name: 'drill' })).body['key']);
}
