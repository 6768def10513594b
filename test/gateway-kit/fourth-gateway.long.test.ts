import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addFourthGateway, type ProjectCopy } from './fourth-gateway.ts';

const TEN_MINUTES = 600_000;

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

  it('a fourth gateway is in the chart, its alerts and the development secrets', () => {
    expect(copy.read('charts/group-payments/gateways.yaml')).toContain('/returns/gateway_z');
    expect(copy.read('charts/group-payments/alerts/services.yaml')).toContain('service="gateway-z"');
    expect(copy.read('k8s/dev/secrets.yaml')).toContain('gateway_z: ');
  });

  it(
    'a fourth gateway satisfies the compiler, that of the pages too',
    () => {
      copy.run('sh', ['.configs/run.sh', 'typecheck']);
    },
    TEN_MINUTES,
  );

  it.each([
    ['the conformance suite', 'services/gateway-adapters/zenith/test/conformance'],
    ['a group that is paid over the API and the hosted page', 'test/journeys/gateway-c'],
  ])(
    'a fourth gateway passes %s',
    (_title, file) => {
      copy.run('sh', ['.configs/run.sh', 'test', file]);
    },
    TEN_MINUTES,
  );
});
