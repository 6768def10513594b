/**
 * Who may import whom. Each rule has an offence planted against it in test/tooling/boundaries.test.ts; a rule
 * without one fails there.
 */
const pure = 'money|errors|primitives|contracts|gateway-registry';
const outside = 'config|pg|bus|http|seal|telemetry';

/** One service: a folder below services, adapters one folder deeper. $1 is its name. */
const service = '^services/(gateway-adapters/[^/]+|[^/]+)/';
const adapter = '^services/gateway-adapters/([^/]+)/';
/** What a gateway knows of its sandbox, and the doors through which it reaches the sandbox itself. */
const sandboxPart = '^services/gateway-adapters/([^/]+)/sandbox/';
const sandboxKit = '^services/psp-sandbox/src/(browser/)?kit\\.ts$';
/** What the tests of a gateway's sandbox part share. Programs may not import it, as nothing below test. */
const sandboxTestKit = '^services/psp-sandbox/test/kit\\.ts$';
const manifest = '^services/gateway-adapters/[^/]+/manifest\\.ts$';
/** What a gateway's folder brings to the checkout page, the page's list of it, and the page's door for it. */
const page = '^services/gateway-adapters/([^/]+)/page/';
const form = '^services/gateway-adapters/[^/]+/page/(card|bank)-form\\.ts$';
const forms = '^services/checkout/web/src/gateways/forms\\.ts$';
const pageDoor = '^services/checkout/web/src/gateways/index\\.ts$';
/** The schema builder, as every process loads it: bundled into one file. */
const schemaBuilder = '^libs/bundled/(src|dist)/typebox\\.(ts|js)$';
/** What the simulation may import of services: what a main.ts connects, and what says whether a group is as promised. */
const simulation = '^test/simulation/';
const simulated = [
  '^services/(group-ledger|scheduler)/src/(wire|config)\\.ts$',
  '^services/group-ledger/(src/db/group/group\\.row|test/model/promises)\\.ts$',
  '^services/checkout/src/app/(begin-confirmation|start-payment|ports)\\.ts$',
];
const tests = '(\\.test\\.ts$|/test/|^test/)';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'services-meet-on-the-bus',
      comment: 'A service never imports another one, and an adapter never another adapter.',
      severity: 'error',
      from: { path: service, pathNot: [sandboxPart, page, forms, '^services/psp-sandbox/test/'] },
      to: { path: '^services/', pathNot: ['^services/$1/', sandboxTestKit] },
    },
    {
      name: 'a-played-gateway-has-one-door',
      comment:
        'The sandbox part of a gateway imports its own folder, its manifest and the kit of the sandbox: never its adapter.',
      severity: 'error',
      from: { path: sandboxPart },
      to: {
        path: '^services/',
        pathNot: ['^services/gateway-adapters/$1/(sandbox/|manifest\\.ts$)', sandboxKit],
      },
    },
    {
      name: 'an-adapter-never-loads-its-sandbox',
      comment:
        'Each judges the other, so they share no code; the sandbox part never runs in the process of an adapter.',
      severity: 'error',
      from: { path: '^services/gateway-adapters/[^/]+/(src/|manifest\\.ts$)' },
      to: { path: sandboxPart },
    },
    {
      name: 'forms-run-on-the-checkout-page',
      comment:
        'A form of a gateway runs in the browsers of payers. It imports its own folder and the one door of the page.',
      severity: 'error',
      from: { path: page },
      to: { pathNot: ['^services/gateway-adapters/$1/page/', pageDoor] },
    },
    {
      name: 'one-list-finds-the-forms',
      comment:
        'The page takes the form of each gateway from its folder in one generated list; nothing else does.',
      severity: 'error',
      from: { path: '^services/', pathNot: [page, forms] },
      to: { path: page },
    },
    {
      name: 'the-list-finds-forms-only',
      severity: 'error',
      from: { path: forms },
      to: { path: '^services/', pathNot: [form, '^services/checkout/web/src/'] },
    },
    {
      name: 'libraries-know-no-service',
      comment: 'The registry lists the manifests of the gateways, which are data.',
      severity: 'error',
      from: { path: '^libs/', pathNot: '^libs/gateway-registry/src/list\\.ts$' },
      to: { path: '^(services|test)/' },
    },
    {
      name: 'front-doors-only',
      comment:
        'A library is imported by its name, and that is src/index.ts; bundled has a name for each package, and the client one for webhooks.',
      severity: 'error',
      from: { path: '^(libs/[^/]+|services|test)/' },
      to: {
        path: '^libs/',
        pathNot: [
          '^libs/[^/]+/src/index\\.ts$',
          '^libs/gateway-registry/src/manifest\\.ts$',
          '^libs/bundled/',
          '^libs/client/src/webhooks\\.ts$',
          '^$1/',
        ],
      },
    },
    {
      name: 'pure-libraries-stay-pure',
      comment:
        'Tier 0 uses tier 0 only. No Node but a checksum, no package but the schema builder of the contracts.',
      severity: 'error',
      from: { path: `^libs/(${pure})/src/`, pathNot: tests },
      to: { pathNot: [`^libs/(${pure})/`, manifest, schemaBuilder, '^zlib$'] },
    },
    {
      name: 'a-manifest-is-data',
      comment:
        'Every service reads the manifest of a gateway: it imports its type and the schema builder, nothing else.',
      severity: 'error',
      from: { path: manifest },
      to: { pathNot: ['^libs/gateway-registry/src/manifest\\.ts$', schemaBuilder] },
    },
    {
      name: 'outside-libraries-are-blind-to-one-another',
      comment: 'Tier 1 holds one piece of the outside world each.',
      severity: 'error',
      from: { path: `^libs/(${outside})/src/`, pathNot: tests },
      to: { path: '^libs/', pathNot: [`^libs/(${pure}|bundled)/`, '^libs/$1/'] },
    },
    {
      name: 'packages-of-many-files-come-bundled',
      comment:
        'A process that imports these packages by their own names loads hundreds of files at its start.',
      severity: 'error',
      from: { path: '^(libs|services)/', pathNot: [tests, '^libs/bundled/'] },
      to: {
        path: '(^|/)node_modules/(typebox|express|ajv|ajv-formats|prom-client|undici|jose|@nats-io/[^/]+|@opentelemetry/(api|context-async-hooks|resources|sdk-trace))/',
      },
    },
    {
      name: 'the-domain-only-decides',
      comment: 'domain/ imports itself and tier 0: no clock, no network, no package.',
      severity: 'error',
      from: { path: '^((?:libs|services)/.+)/src/domain/', pathNot: [tests, adapter] },
      to: { pathNot: ['^$1/src/domain/', `^libs/(${pure})/`] },
    },
    {
      name: 'an-adapters-domain-only-translates',
      comment: 'It also uses the vocabulary all adapters share, which lives behind the door of libs/gateway.',
      severity: 'error',
      from: { path: `${adapter}src/domain/`, pathNot: tests },
      to: { pathNot: ['^services/gateway-adapters/$1/src/domain/', `^libs/(${pure}|gateway)/`] },
    },
    {
      name: 'http-never-speaks-sql',
      severity: 'error',
      from: { path: '^((?:libs|services)/.+)/src/http/', pathNot: tests },
      to: { path: '^$1/src/db/' },
    },
    {
      name: 'use-cases-know-no-transport',
      comment: 'What is decided and stored is the same whether it was asked over HTTP or the bus.',
      severity: 'error',
      from: { path: '^(services/.+)/src/(?:app|domain|db)/', pathNot: tests },
      to: { path: '^$1/src/(?:http|bus)/' },
    },
    {
      name: 'only-main-wires',
      comment:
        'Only programs read the environment and open connections: main.ts, cli.ts, each task of an installation.',
      severity: 'error',
      from: {
        path: '^(services/.+)/src/(?!(?:main|cli)\\.ts)',
        pathNot: [tests, '^services/installation/src/'],
      },
      to: { path: '^$1/src/config\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nobody-imports-main',
      severity: 'error',
      from: { path: '^(libs|services|test)/' },
      to: { path: '^(libs|services)/.+/src/main\\.ts$' },
    },
    {
      name: 'the-driver-stays-in-db',
      comment: 'The Postgres driver is used where SQL is, nowhere else.',
      severity: 'error',
      from: { path: '^(libs|services)/', pathNot: [tests, '^libs/(pg|testing|stack)/', '/src/db/'] },
      to: { path: '(^|/)node_modules/pg/' },
    },
    {
      name: 'tests-never-ship',
      severity: 'error',
      from: { path: '^(libs|services)/', pathNot: [tests, '^libs/testing/'] },
      to: {
        path: [
          '^libs/testing/',
          '^(libs|services|test)/.*(\\.test\\.ts$|/test/)',
          'node_modules/(@jest/|jest|fast-check/)',
        ],
        pathNot: 'node_modules/(?!@jest/|jest|fast-check/)',
      },
    },
    {
      name: 'embedded-servers-are-for-development',
      severity: 'error',
      from: { path: '^(libs|services)/', pathNot: '^libs/(stack|testing)/' },
      to: { path: '^libs/stack/' },
    },
    {
      name: 'journeys-are-strangers',
      comment: 'What is below test/ knows the product from outside only, but for the simulation.',
      severity: 'error',
      from: { path: '^test/', pathNot: simulation },
      to: { path: '^services/' },
    },
    {
      name: 'the-simulation-runs-services-whole',
      comment: 'It imports what a main.ts connects, never the parts: those run as they are connected.',
      severity: 'error',
      from: { path: simulation },
      to: { path: '^services/', pathNot: simulated },
    },
    {
      name: 'packages-are-declared',
      comment: 'What a workspace imports stands in its own package.json.',
      severity: 'error',
      from: { path: '^(libs|services)/', pathNot: tests },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'imports-lead-somewhere',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-cycles',
      comment:
        'Files that import each other cannot be read one by one, not even when only types are imported.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: '(^|/)node_modules/' },
    exclude: { path: '(^|/)(\\.data|dist)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.cjs', '.json', '.d.ts'],
    },
  },
};
