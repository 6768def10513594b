import { describe, expect, it } from '@jest/globals';
import { ALLOWED, findGatewayNames, isNeutral } from './gateway-names.ts';
import { listProjectFiles, readProjectFile } from './project-files.ts';

const files = await listProjectFiles();

describe('code outside the folders of gateways', () => {
  it('code outside the folders of gateways names no gateway and no vendor', async () => {
    const guilty = await Promise.all(
      files.filter(isNeutral).map(async (file) => {
        const names = findGatewayNames(await readProjectFile(file));
        return names.length > 0 ? [`${file}: ${[...new Set(names)].join(', ')}`] : [];
      }),
    );
    expect(guilty.flat()).toEqual([]);
  });

  it.each([
    "if (psp === 'gateway_a') return;",
    "service('gateway-b', {})",
    'const { gatewayCTestUrl } = config;',
    'GATEWAY_A_PORT: 8091',
    "import Stripe from 'stripe';",
    '// as Checkout.com does',
    "from '../../gateway-adapters/redsys/page/form.ts'",
    'class Evervault {}',
  ])('the check finds code with %j in it', (line) => {
    expect(isNeutral('services/checkout/src/app/open-page.ts')).toBe(true);
    expect(findGatewayNames(line)).not.toEqual([]);
  });

  it('the check includes what all tests share', () => {
    expect(isNeutral('test/support/payer.ts')).toBe(true);
    expect(isNeutral('test/journeys/refunds.journey.test.ts')).toBe(false);
  });

  it.each(['gateway_connections', 'gatewayAccount', 'gateway-api', 'a striped row', 'gp_gateway_calls'])(
    'code may say %j',
    (text) => {
      expect(findGatewayNames(text)).toEqual([]);
    },
  );

  it('the list of exceptions is short, and each of them is needed', async () => {
    expect(Object.keys(ALLOWED).length).toBeLessThanOrEqual(8);
    for (const file of Object.keys(ALLOWED)) {
      expect([file, findGatewayNames(await readProjectFile(file)).length > 0]).toEqual([file, true]);
    }
  });
});
