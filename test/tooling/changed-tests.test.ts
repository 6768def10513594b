import { describe, expect, it } from '@jest/globals';

type Choose = (o: {
  readonly files: readonly string[];
  readonly tests: readonly string[];
  readonly related: readonly string[];
}) => string[];
const module_ = '../../.configs/changed-tests.mjs';
const { chooseTests } = (await import(module_)) as { readonly chooseTests: Choose };

const main = 'test/journeys/main-job.journey.test.ts';
const tests = [
  'libs/money/src/money.test.ts',
  'services/checkout/src/domain/gateway-parts.test.ts',
  'services/checkout/test/pages.component.test.ts',
  'services/scheduler/test/timers.component.test.ts',
  'test/browser/checkout.browser.test.ts',
  'test/browser/dashboard.browser.test.ts',
  'test/crash/crash-services.long.test.ts',
  main,
  'test/platform/chart.chart.test.ts',
  'test/platform/compose/compose.test.ts',
  'test/tooling/workplace.test.ts',
];
const choose = (files: string[], related: string[] = []) => chooseTests({ files, tests, related });

describe('the tests that a changed file touches', () => {
  it('a changed file touches the tests that import it', () => {
    const related = ['services/scheduler/test/timers.component.test.ts'];
    expect(choose(['libs/money/src/money.ts'], related)).toEqual([
      'libs/money/src/money.test.ts',
      ...related,
      main,
    ]);
  });

  it('a changed file of a service touches its tests, the main journey and what people see of it, SQL and styles included', () => {
    for (const file of ['migrations/0002.sql', 'web/src/page.css', 'src/main.ts'])
      expect(choose([`services/checkout/${file}`])).toEqual([
        'services/checkout/src/domain/gateway-parts.test.ts',
        'services/checkout/test/pages.component.test.ts',
        'test/browser/checkout.browser.test.ts',
        main,
      ]);
  });

  it('a changed test file touches itself only', () => {
    const file = 'services/scheduler/test/timers.component.test.ts';
    expect(choose([file])).toEqual([file]);
  });

  it('a changed file below test/ touches the tests beside it, the long ones included', () => {
    expect(choose(['test/crash/cells.ts'])).toEqual(['test/crash/crash-services.long.test.ts']);
  });

  it('a changed template touches the chart tests, and a file of no workspace the tooling tests', () => {
    expect(choose(['charts/group-payments/values.yaml'])).toEqual([
      'test/platform/chart.chart.test.ts',
      'test/platform/compose/compose.test.ts',
      'test/tooling/workplace.test.ts',
    ]);
  });

  it('a changed compose file touches what compares it with the chart', () => {
    expect(choose(['compose.yaml'])).toContain('test/platform/compose/compose.test.ts');
  });

  it('a changed text touches no test', () => {
    expect(choose(['services/checkout/README.md'])).toEqual([]);
  });
});
