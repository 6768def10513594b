import { findManifest, toProcessName, pspCodes, type PspCode } from '@gp/gateway-registry';
import * as bus from '../platform/bus/files.ts';

/**
 * Files that may name a gateway: its own folder and the registry; tests, but not what they share; prose; files that are
 * written from manifests; migrations, which are history; and manifests of packages, which name the packages that tests
 * compare with.
 */
const FREE = [
  /^services\/gateway-adapters\//,
  /^libs\/gateway-registry\//,
  /^(libs|services)\/.*\/test\//,
  /^test\/(?!support\/)/,
  /\.test\.tsx?$/,
  /\.md$/,
  /(^|\/)migrations\//,
  /(^|\/)package(-lock)?\.json$/,
  /^libs\/client\/src\/generated\//,
  /(^|\/)(openapi|postman_collection|values\.schema)\.json$/,
  /^charts\/group-payments\/(gateways|pools)\.yaml$/,
  /^compose\.yaml$/,
  /^services\/checkout\/web\/src\/gateways\/forms\.ts$/,
  /^services\/merchant-dashboard\/web\/src\/gateways\.ts$/,
];

/** Production files that name a gateway all the same, with the reason. At most eight. */
export const ALLOWED: Readonly<Record<string, string>> = {
  'charts/group-payments/alerts/services.yaml': '`npm run generate` keeps its lists of processes',
  'k8s/dev/secrets.yaml': '`npm run generate` keeps its list of roles',
  'services/checkout/web/src/flow/fixtures.ts': 'sample data of the tests of the page',
  'services/installation/src/paid-over.ts': 'the smoke test pays over one gateway',
  'test/support/receiver.ts': 'checks signatures of webhooks with a public package of that vendor',
  'services/installation/src/pay-one-group.ts':
    'the smoke test speaks as a browser with the sandbox of that gateway',
};

/** Files that are written whole from the registry and the programs' access to the bus. */
const WRITTEN: ReadonlySet<string> = new Set(Object.values(bus));

/** Whether a file of the project must name no gateway. */
export function isNeutral(file: string): boolean {
  return !(file in ALLOWED) && !WRITTEN.has(file) && !FREE.some((pattern) => pattern.test(file));
}

/** Returns the names of gateways and vendors in a text. */
export function findGatewayNames(text: string): string[] {
  return NAMES.flatMap((pattern) => text.match(pattern) ?? []);
}

const NAMES: readonly RegExp[] = pspCodes.flatMap((code) => [...listSpellings(code), ...listVendors(code)]);

function listSpellings(code: PspCode): RegExp[] {
  const camel = code.replace(/_([a-z])/g, (_found, letter: string) => letter.toUpperCase());
  const pascal = camel.charAt(0).toUpperCase() + camel.slice(1);
  const lower = [code, toProcessName(code), camel, pascal].map((name) => new RegExp(`${name}(?![a-z])`, 'g'));
  return [...lower, new RegExp(`${code.toUpperCase()}(?![A-Z])`, 'g')];
}

/** A gateway may stand behind another company: both are named. */
function listVendors(code: PspCode): RegExp[] {
  const { vendor, folder } = findManifest(code);
  const names = [...vendor.split(' behind '), folder];
  return names.map((name) => new RegExp(`\\b${name.replaceAll('.', '\\.')}\\b`, 'gi'));
}
