import { findManifest, findGatewayFolder, pspCodes } from '@gp/gateway-registry';
import { describe, expect, it } from '@jest/globals';
import { listProjectFiles, readProjectFile } from './project-files.ts';
import { listFilesWithTypeErrors } from './type-errors.ts';

const MANY_SECONDS = 120_000;
const files = await listProjectFiles();

/** Paths of files that a part of a recipe lists, sorted. */
const listPaths = (part: string): readonly string[] =>
  [...part.matchAll(/^- `([^`]+)`:/gm)].map(([, path = '']) => path).toSorted();

/** The part of a recipe that begins with a text and ends at the next heading. */
function findPart(recipe: string, beginning: string): string {
  const [, rest] = recipe.split(beginning);
  if (rest === undefined) throw new Error(`the recipe has no part "${beginning}"`);
  return rest.split('\n## ')[0] ?? '';
}

type Replacement = readonly [file: string, from: string, to: string];

/** Texts of files with replacements, by path; throws where there is nothing to replace. */
async function changeAll(replacements: readonly Replacement[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const [file, from, to] of replacements) {
    const text = texts.get(file) ?? (await readProjectFile(file));
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    texts.set(file, text.replace(from, to));
  }
  return texts;
}

const change = (...replacement: Replacement) => changeAll([replacement]);

/** Product files below a folder that contain a text; tests and generated files are left out. */
async function listUsers(below: RegExp, word: RegExp): Promise<readonly string[]> {
  const candidates = files.filter(
    (file) => below.test(file) && !/\.test\.tsx?$|(^|\/)test\/|\/generated\/|openapi\.json$/.test(file),
  );
  const texts = await Promise.all(
    candidates.map(async (file) => [file, await readProjectFile(file)] as const),
  );
  return texts.filter(([, text]) => word.test(text)).map(([file]) => file);
}

describe('docs/add-an-event.md', () => {
  const EVENTS = 'libs/contracts/src/events/events.ts';
  const addType = () => change(EVENTS, 'EVENT_TYPES = [', "EVENT_TYPES = [\n  'example.added',");
  const isOfEvents = /EventType|EVENT_TYPES|EVENT_NOUNS|DomainEvent/;

  it(
    'docs/add-an-event.md lists exactly the files in which the compiler misses a new type',
    async () => {
      const recipe = await readProjectFile('docs/add-an-event.md');
      const changes = await addType();
      const web = 'services/merchant-dashboard/web';
      const pages = await listUsers(new RegExp(`^${web}/src/.*\\.tsx?$`), isOfEvents);
      const rest = await listUsers(/^(libs|services)\/(?!.*\/(web|browser)\/).*\.ts$/, isOfEvents);
      const missing = [
        ...listFilesWithTypeErrors({ tsconfig: '.configs/tsconfig.json', files: rest, changes }),
        ...listFilesWithTypeErrors({ tsconfig: `${web}/tsconfig.json`, files: pages, changes }),
      ];
      expect(missing.toSorted()).toEqual(listPaths(findPart(recipe, '## What the compiler then asks for')));
    },
    MANY_SECONDS,
  );

  it('docs/add-an-event.md lists every file of the product that names a comparable event', async () => {
    const recipe = await readProjectFile('docs/add-an-event.md');
    const users = await listUsers(/^(libs|services)\/.*\.(tsx?|sql)$/, /'payment_intent\.refunded'/);
    expect(users.filter((file) => !recipe.includes(`\`${file}\``))).toEqual([]);
    expect(users.length).toBeGreaterThan(4);
  });
});

describe('docs/add-a-locale.md', () => {
  it(
    'docs/add-a-locale.md lists exactly the files in which the compiler misses a new language of the pages',
    async () => {
      const recipe = await readProjectFile('docs/add-a-locale.md');
      const web = 'services/checkout/web';
      const changes = await change(`${web}/src/languages.ts`, 'LANGUAGES = [', "LANGUAGES = ['zz', ");
      const users = await listUsers(
        new RegExp(`^${web}/src/.*\\.tsx?$`),
        /\b(Locale|Language)\b|LOCALES|LANGUAGES/,
      );
      const missing = listFilesWithTypeErrors({ tsconfig: `${web}/tsconfig.json`, files: users, changes });
      expect(missing).toEqual(listPaths(findPart(recipe, '## Name it\n')));
    },
    MANY_SECONDS,
  );

  it(
    'docs/add-a-locale.md lists exactly the files in which the compiler misses a new language of the sandbox',
    async () => {
      const recipe = await readProjectFile('docs/add-a-locale.md');
      const browser = 'services/psp-sandbox/src/browser';
      const changes = await change(`${browser}/card-words.ts`, 'LOCALES = [', "LOCALES = ['zz', ");
      const users = await listUsers(new RegExp(`^${browser}/.*\\.ts$`), /\bLocale\b|LOCALES/);
      const missing = listFilesWithTypeErrors({
        tsconfig: `${browser}/tsconfig.json`,
        files: users,
        changes,
      });
      expect(missing).toEqual(listPaths(findPart(recipe, '## Name it in the sandbox')));
    },
    MANY_SECONDS,
  );

  it('docs/add-a-locale.md lists every file that names a comparable language', async () => {
    const recipe = await readProjectFile('docs/add-a-locale.md');
    const users = await listUsers(
      /^(libs|services|\.configs)\/(?!.*\/i18n\/pt\.ts$).*/,
      /'pt',|\bpt: |\bPortuguese\b/,
    );
    expect(users.filter((file) => !recipe.includes(`\`${file}\``))).toEqual([]);
    expect(users.length).toBeGreaterThan(3);
  });
});

describe('docs/add-a-field-of-an-outcome.md', () => {
  const CALL_RESULT = 'libs/gateway/src/domain/call-result.ts';
  const GATEWAY_CALL = 'libs/gateway/src/domain/gateway-call.ts';
  const GROUP = 'services/group-ledger/src/domain/group/group.ts';
  const OPERATION = 'services/group-ledger/src/db/group/operation.row.ts';

  it.each([
    {
      part: '## What the compiler then asks for in adapters',
      below: /^(libs\/gateway|services\/gateway-adapters)\/.*\.ts$/,
      word: /CallResult|GatewayCall/,
      changed: [
        [CALL_RESULT, 'type CallResult = {', 'type CallResult = { readonly feeMinor: bigint | null;'],
        [GATEWAY_CALL, 'type GatewayCall = {', 'type GatewayCall = { readonly feeMinor: bigint | null;'],
        [GATEWAY_CALL, "'resultMinor'", "'resultMinor' | 'feeMinor'"],
      ],
    },
    {
      part: '## What the compiler then asks for in the ledger',
      below: /^services\/group-ledger\/.*\.ts$/,
      word: /Capture\b|captureFromRow|captureRow|OperationJson/,
      changed: [
        [
          GROUP,
          'type Capture = RequestedOperation & {',
          'type Capture = RequestedOperation & { readonly feeMinor: bigint | null;',
        ],
        [OPERATION, 'type OperationJson = {', 'type OperationJson = { readonly fee_minor: number | null;'],
      ],
    },
  ] as const)(
    'docs/add-a-field-of-an-outcome.md lists under "$part" exactly the files in which the compiler misses the field',
    async ({ part, below, word, changed }) => {
      const recipe = await readProjectFile('docs/add-a-field-of-an-outcome.md');
      const changes = await changeAll(changed);
      const users = await listUsers(below, word);
      const missing = listFilesWithTypeErrors({ tsconfig: '.configs/tsconfig.json', files: users, changes });
      expect(missing).toEqual(listPaths(findPart(recipe, part)));
    },
    MANY_SECONDS,
  );
});

describe('docs/add-a-gateway.md', () => {
  it('docs/add-a-gateway.md names for each flow a folder to copy whose gateway has that flow', async () => {
    const recipe = await readProjectFile('docs/add-a-gateway.md');
    const named = [...recipe.matchAll(/`([\w-]+)`\s+\(`(\w+)`/g)].map(([, folder, flow]) => [folder, flow]);
    const known = pspCodes.map(findManifest).map(({ folder, flow }) => [folder, flow]);
    expect(named.toSorted()).toEqual(known.toSorted());
  });

  it('docs/add-a-gateway.md names files that the folder of every gateway has', async () => {
    const recipe = findPart(await readProjectFile('docs/add-a-gateway.md'), '## The folder');
    const named = [...recipe.matchAll(/^- `([\w./<>-]+)`/gm)].map(([, path = '']) => path);
    const shared = named
      .filter((path) => !path.startsWith('page/'))
      .map((path) => path.replace(/^<vendor>\//, ''));
    const missing = pspCodes
      .map((code) => findGatewayFolder(code))
      .flatMap((folder) => shared.map((path) => `${folder}/${path}`))
      .filter((path) => !files.some((file) => file === path || file.startsWith(path)));
    expect(missing).toEqual([]);
    expect(shared.length).toBeGreaterThan(4);
  });
});
