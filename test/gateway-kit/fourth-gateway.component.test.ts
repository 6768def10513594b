import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addFourthGateway, type ProjectCopy } from './fourth-gateway.ts';

const FIVE_MINUTES = 300_000;
/** Workspaces of which the compiler reads generated files. */
const GENERATORS = ['libs/reference', 'services/checkout', 'services/merchant-dashboard'];

let copy: ProjectCopy;
beforeAll(() => {
  copy = addFourthGateway();
  for (const workspace of GENERATORS) copy.run('node', [`${workspace}/test/generate.ts`]);
}, FIVE_MINUTES);
afterAll(() => copy?.remove());

it(
  'a gateway that is one folder and one line satisfies the compiler',
  () => {
    copy.run('tsc', ['-p', '.configs/tsconfig.json']);
  },
  FIVE_MINUTES,
);

it('a fourth gateway is in the published interface, on the page and in the dashboard', () => {
  expect(copy.read('libs/reference/openapi.json')).toContain('gateway_z_form');
  expect(copy.read('services/checkout/web/src/gateways/forms.ts')).toContain('zenith/page/bank-form.ts');
  expect(copy.read('services/merchant-dashboard/web/src/gateways.ts')).toContain("psp: 'gateway_z'");
});
