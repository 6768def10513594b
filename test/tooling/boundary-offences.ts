/** A file tree: path to content. */
type Files = Readonly<Record<string, string>>;

/** One forbidden import. The first file is the one that must be refused. */
export type Offence = { readonly rule: string; readonly title: string; readonly files: Files };

const workspace = (name: string, ...dependencies: string[]): string =>
  JSON.stringify({
    name: `@gp/${name}`,
    type: 'module',
    exports: {
      '.': './src/index.ts',
      './manifest': './src/manifest.ts',
      './kit': './src/kit.ts',
      './typebox': './src/typebox.ts',
    },
    dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, '1.0.0'])),
  });

const thing = 'export const thing = 1;\n';

const use = (...specifiers: string[]): string =>
  specifiers
    .map((specifier, i) => `import * as used${i} from '${specifier}';\nexport { used${i} };\n`)
    .join('');

const npmPackage = (name: string): Files => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, type: 'module', main: './index.js' }),
  [`node_modules/${name}/index.js`]: thing,
});

const library = (name: string, content = thing, ...dependencies: string[]): Files => ({
  [`libs/${name}/package.json`]: workspace(name, ...dependencies),
  [`libs/${name}/src/index.ts`]: content,
});

/** A project of our shape in which every import is one the rules allow. */
export const clean: Files = {
  ...npmPackage('pg'),
  ...npmPackage('typebox'),
  ...npmPackage('uuidv7'),
  ...npmPackage('fast-check'),
  ...library('money'),
  'libs/bundled/package.json': workspace('bundled', 'typebox'),
  'libs/bundled/src/typebox.ts': use('typebox'),
  ...library(
    'contracts',
    use('@gp/bundled/typebox', '@gp/money', 'node:zlib'),
    '@gp/bundled',
    '@gp/money',
    'typebox',
  ),
  ...library('pg', use('pg', './inner.ts', '@gp/money'), 'pg', '@gp/money'),
  'libs/pg/src/inner.ts': thing,
  'libs/pg/src/index.test.ts': use('./index.ts', '@gp/testing', 'fast-check'),
  ...library('http', use('uuidv7', 'node:http'), 'uuidv7'),
  ...library('gateway', use('@gp/pg', '@gp/http'), '@gp/pg', '@gp/http'),
  ...library('stack', use('@gp/pg', 'pg'), '@gp/pg', 'pg'),
  ...library('testing', use('@gp/stack', 'pg'), '@gp/stack', 'pg'),
  'services/checkout/package.json': workspace('checkout', '@gp/pg', '@gp/money', 'pg'),
  'services/checkout/src/main.ts': use('./config.ts', './app/pay.ts', './http/routes.ts', '@gp/pg'),
  'services/checkout/src/config.ts': `export type Config = object;\n${thing}`,
  'services/checkout/src/app/pay.ts': `import type { Config } from '../config.ts';\nexport type { Config };\n${use('../domain/payment.ts', '../db/payments.ts')}`,
  'services/checkout/src/domain/payment.ts': use('@gp/money'),
  'services/checkout/src/domain/payment.test.ts': use('./payment.ts', 'fast-check'),
  'services/checkout/src/db/payments.ts': use('@gp/pg', 'pg'),
  'services/checkout/src/http/routes.ts': use('../app/pay.ts'),
  'services/checkout/web/src/gateways/index.ts': thing,
  'services/checkout/web/src/gateways/forms.ts': use(
    '../../../../gateway-adapters/stripe/page/card-form.ts',
    '../../../../gateway-adapters/redsys/page/bank-form.ts',
  ),
  'services/scheduler/package.json': workspace('scheduler'),
  'services/scheduler/src/main.ts': thing,
  ...library('gateway-registry', use('./list.ts')),
  'libs/gateway-registry/src/list.ts': use('../../../services/gateway-adapters/stripe/manifest.ts'),
  'libs/gateway-registry/src/manifest.ts': thing,
  'services/gateway-adapters/stripe/manifest.ts': use('@gp/gateway-registry/manifest', '@gp/bundled/typebox'),
  'services/gateway-adapters/stripe/package.json': workspace(
    'stripe',
    '@gp/gateway',
    '@gp/gateway-registry',
    '@gp/bundled',
    '@gp/psp-sandbox',
  ),
  'services/gateway-adapters/stripe/src/domain/outcome.ts': use('@gp/gateway'),
  'services/gateway-adapters/stripe/sandbox/index.ts': use('@gp/psp-sandbox/kit', '../manifest.ts'),
  'services/psp-sandbox/package.json': workspace('psp-sandbox'),
  'services/psp-sandbox/src/kit.ts': use('./domain/card.ts'),
  'services/psp-sandbox/src/domain/card.ts': thing,
  'services/gateway-adapters/stripe/page/card-form.ts': use(
    '../../../checkout/web/src/gateways/index.ts',
    './field.ts',
  ),
  'services/gateway-adapters/stripe/page/field.ts': thing,
  'services/gateway-adapters/redsys/page/bank-form.ts': thing,
  'services/gateway-adapters/redsys/package.json': workspace('redsys'),
  'services/gateway-adapters/redsys/src/gateway.ts': thing,
  'test/package.json': workspace('test'),
  'test/journey.test.ts': use('@gp/testing', '@gp/stack'),
};

const offence = (rule: string, title: string, path: string, ...specifiers: string[]): Offence => ({
  rule,
  title,
  files: { [path]: use(...specifiers) },
});

const checkout = 'services/checkout/src';
const adapterA = 'services/gateway-adapters/stripe/src';

export const offences: readonly Offence[] = [
  offence(
    'packages-of-many-files-come-bundled',
    'a library imports the schema builder by its own name',
    'libs/contracts/src/schema.ts',
    'typebox',
  ),
  offence(
    'services-meet-on-the-bus',
    'a service imports another',
    `${checkout}/app/meet.ts`,
    '../../../scheduler/src/main.ts',
  ),
  offence(
    'services-meet-on-the-bus',
    'an adapter imports another',
    `${adapterA}/meet.ts`,
    '../../redsys/src/gateway.ts',
  ),
  offence(
    'services-meet-on-the-bus',
    'the sandbox lists a gateway',
    'services/psp-sandbox/src/gateways.ts',
    '../../gateway-adapters/stripe/sandbox/index.ts',
  ),
  offence(
    'a-played-gateway-has-one-door',
    'it reaches into the sandbox',
    'services/gateway-adapters/stripe/sandbox/reach.ts',
    '../../../psp-sandbox/src/domain/card.ts',
  ),
  offence(
    'a-played-gateway-has-one-door',
    'it imports its adapter',
    'services/gateway-adapters/stripe/sandbox/wire.ts',
    '../src/domain/outcome.ts',
  ),
  offence(
    'an-adapter-never-loads-its-sandbox',
    'an adapter imports its sandbox part',
    `${adapterA}/play.ts`,
    '../sandbox/index.ts',
  ),
  offence(
    'forms-run-on-the-checkout-page',
    'a card form imports the page past its door',
    'services/gateway-adapters/stripe/page/past.ts',
    '../../../checkout/web/src/gateways/forms.ts',
  ),
  offence(
    'forms-run-on-the-checkout-page',
    "a card form imports another gateway's",
    'services/gateway-adapters/stripe/page/peer.ts',
    '../../redsys/page/bank-form.ts',
  ),
  offence(
    'forms-run-on-the-checkout-page',
    'a card form imports its adapter',
    'services/gateway-adapters/redsys/page/adapter.ts',
    '../src/gateway.ts',
  ),
  offence(
    'one-list-finds-the-forms',
    'the page imports a form past the list',
    'services/checkout/web/src/gateways/past.ts',
    '../../../../gateway-adapters/stripe/page/card-form.ts',
  ),
  offence(
    'one-list-finds-the-forms',
    'an adapter imports its card form',
    `${adapterA}/imports-form.ts`,
    '../page/card-form.ts',
  ),
  offence(
    'the-list-finds-forms-only',
    'it imports what only the form uses',
    'services/checkout/web/src/gateways/forms.ts',
    '../../../../gateway-adapters/stripe/page/field.ts',
  ),
  offence(
    'libraries-know-no-service',
    'a library imports a service',
    'libs/http/src/knows.ts',
    '../../../services/checkout/src/http/routes.ts',
  ),
  offence(
    'front-doors-only',
    'a service reaches into a library',
    `${checkout}/db/reach.ts`,
    '../../../../libs/pg/src/inner.ts',
  ),
  offence(
    'front-doors-only',
    'a test reaches into a library',
    'test/reach.test.ts',
    '../libs/pg/src/inner.ts',
  ),
  offence(
    'a-manifest-is-data',
    'a manifest imports its adapter',
    'services/gateway-adapters/redsys/manifest.ts',
    './src/gateway.ts',
  ),
  offence('pure-libraries-stay-pure', 'one of them uses Node', 'libs/money/src/node.ts', 'node:fs'),
  offence(
    'pure-libraries-stay-pure',
    'one of them uses a tier 1 library',
    'libs/money/src/tier.ts',
    '@gp/pg',
  ),
  offence('pure-libraries-stay-pure', 'one of them uses a package', 'libs/money/src/package.ts', 'uuidv7'),
  offence('outside-libraries-are-blind-to-one-another', 'http imports pg', 'libs/http/src/peer.ts', '@gp/pg'),
  offence(
    'outside-libraries-are-blind-to-one-another',
    'pg imports a tier 2 library',
    'libs/pg/src/up.ts',
    '@gp/gateway',
  ),
  offence('the-domain-only-decides', 'it uses Node', `${checkout}/domain/node.ts`, 'node:fs'),
  offence('the-domain-only-decides', 'it uses a tier 1 library', `${checkout}/domain/tier.ts`, '@gp/pg'),
  offence('the-domain-only-decides', 'it uses a package', `${checkout}/domain/package.ts`, 'uuidv7'),
  offence(
    'the-domain-only-decides',
    'it asks the database folder',
    `${checkout}/domain/asks.ts`,
    '../db/payments.ts',
  ),
  offence('an-adapters-domain-only-translates', 'it uses Node', `${adapterA}/domain/node.ts`, 'node:http'),
  offence(
    'an-adapters-domain-only-translates',
    'it uses a tier 1 library',
    `${adapterA}/domain/tier.ts`,
    '@gp/pg',
  ),
  offence(
    'http-never-speaks-sql',
    'a route imports a statement',
    `${checkout}/http/sql.ts`,
    '../db/payments.ts',
  ),
  offence(
    'use-cases-know-no-transport',
    'a use case imports a route',
    `${checkout}/app/transport.ts`,
    '../http/routes.ts',
  ),
  offence(
    'only-main-wires',
    'a use case reads the configuration',
    `${checkout}/app/wires.ts`,
    '../config.ts',
  ),
  offence('nobody-imports-main', 'a service imports its main', `${checkout}/http/main.ts`, '../main.ts'),
  offence('the-driver-stays-in-db', 'a use case imports the driver', `${checkout}/app/driver.ts`, 'pg'),
  offence(
    'tests-never-ship',
    'a library ships the testing library',
    'libs/gateway/src/ships.ts',
    '@gp/testing',
  ),
  offence(
    'tests-never-ship',
    'a service ships the testing library',
    `${checkout}/app/tests.ts`,
    '@gp/testing',
  ),
  offence('tests-never-ship', 'a library ships a test', 'libs/pg/src/ships.ts', './index.test.ts'),
  offence('tests-never-ship', 'a service ships a test package', `${checkout}/app/ships.ts`, 'fast-check'),
  offence(
    'embedded-servers-are-for-development',
    'a service imports them',
    `${checkout}/app/stack.ts`,
    '@gp/stack',
  ),
  offence(
    'journeys-are-strangers',
    'a journey imports a service',
    'test/knows.test.ts',
    '../services/scheduler/src/main.ts',
  ),
  offence(
    'the-simulation-runs-services-whole',
    'the simulation imports a part of a service',
    'test/simulation/knows.ts',
    '../../services/scheduler/src/main.ts',
  ),
  offence(
    'packages-are-declared',
    'a package is not in package.json',
    `${checkout}/http/undeclared.ts`,
    'uuidv7',
  ),
  offence('imports-lead-somewhere', 'the file does not exist', `${checkout}/app/nowhere.ts`, './missing.ts'),
  {
    rule: 'no-cycles',
    title: 'two files import each other',
    files: {
      [`${checkout}/app/chicken.ts`]: use('./egg.ts'),
      [`${checkout}/app/egg.ts`]: use('./chicken.ts'),
    },
  },
  {
    rule: 'no-cycles',
    title: 'one of them imports only a type',
    files: {
      [`${checkout}/app/parts.ts`]: `export type Part = number;\n${use('./whole.ts')}`,
      [`${checkout}/app/whole.ts`]: `import type { Part } from './parts.ts';\nexport type { Part };\n${thing}`,
    },
  },
];
