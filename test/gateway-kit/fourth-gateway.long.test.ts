import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addFourthGateway, type ProjectCopy } from './fourth-gateway.ts';
import { runTests } from './run-tests.ts';

const TEN_MINUTES = 600_000;
const TWENTY_MINUTES = 1_200_000;

let copy: ProjectCopy;
beforeAll(() => {
  copy = addFourthGateway();
  copy.run('sh', ['.configs/run.sh', 'generate']);
}, TEN_MINUTES);
afterAll(() => copy?.remove());

describe('a gateway that is one folder and one line', () => {
  it('a fourth gateway is in the published interface, on the page and in the dashboard', () => {
    expect(copy.read('libs/reference/openapi.json')).toContain('gateway_z_form');
    expect(copy.read('services/checkout/web/src/gateways/forms.ts')).toContain('zenith/page/bank-form.ts');
    expect(copy.read('services/merchant-dashboard/web/src/gateways.ts')).toContain("psp: 'gateway_z'");
  });

  it('a fourth gateway is in the chart, its alerts, the development secrets and the compose file', () => {
    expect(copy.read('charts/group-payments/gateways.yaml')).toContain('/returns/gateway_z');
    expect(copy.read('charts/group-payments/alerts/services.yaml')).toContain('service="gateway-z"');
    expect(copy.read('k8s/dev/secrets.yaml')).toContain('gateway_z: ');
    expect(copy.read('compose.yaml')).toContain('\n  gateway-z:\n');
  });

  it(
    'a fourth gateway satisfies the compiler, that of the pages too',
    () => {
      copy.run('sh', ['.configs/run.sh', 'typecheck']);
    },
    TEN_MINUTES,
  );
});

describe('tests of a gateway that is one folder and one line', () => {
  const CONFORMANCE = 'services/gateway-adapters/zenith/test/conformance.long.test.ts';
  const JOURNEY = 'test/journeys/gateway-c.journey.test.ts';
  let verdicts: ReadonlyMap<string, string>;
  beforeAll(() => {
    verdicts = runTests(copy, [CONFORMANCE, JOURNEY]);
  }, TWENTY_MINUTES);

  it.each([
    ['the conformance suite', CONFORMANCE],
    ['a group that is paid over the API and the hosted page', JOURNEY],
  ])('a fourth gateway passes %s', (_title, file) => {
    expect(verdicts.get(file)).toBe('passed');
  });
});
