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

/** A file's text with one replacement, by its path; throws where there is nothing to replace. */
async function change(file: string, from: string, to: string): Promise<ReadonlyMap<string, string>> {
  const text = await readProjectFile(file);
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  return new Map([[file, text.replace(from, to)]]);
}

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
  const addType = () =>
    change(EVENTS, "  'payment_intent.failed',", "  'payment_intent.failed',\n  'slot.released',");
  const isOfEvents = /EventType|EVENT_TYPES|EVENT_NOUNS|DomainEvent/;

  it(
    'lists exactly the files in which the compiler misses a new type',
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

  it('lists every file of the product that names a comparable event', async () => {
    const recipe = await readProjectFile('docs/add-an-event.md');
    const users = await listUsers(/^(libs|services)\/.*\.(tsx?|sql)$/, /'payment_intent\.refunded'/);
    expect(users.filter((file) => !recipe.includes(`\`${file}\``))).toEqual([]);
    expect(users.length).toBeGreaterThan(4);
  });
});

describe('docs/add-a-locale.md', () => {
  it(
    'lists exactly the files in which the compiler misses a new language of the pages',
    async () => {
      const recipe = await readProjectFile('docs/add-a-locale.md');
      const web = 'services/checkout/web';
      const changes = await change(`${web}/src/bootstrap.ts`, "'pt'] as const", "'pt', 'nl'] as const");
      const users = await listUsers(new RegExp(`^${web}/src/.*\\.tsx?$`), /\bLocale\b|LOCALES/);
      const missing = listFilesWithTypeErrors({ tsconfig: `${web}/tsconfig.json`, files: users, changes });
      expect(missing).toEqual(listPaths(findPart(recipe, '## Name it\n')));
    },
    MANY_SECONDS,
  );

  it(
    'lists exactly the files in which the compiler misses a new language of the sandbox',
    async () => {
      const recipe = await readProjectFile('docs/add-a-locale.md');
      const browser = 'services/psp-sandbox/src/browser';
      const changes = await change(`${browser}/card-words.ts`, "'pt'] as const", "'pt', 'nl'] as const");
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

  it('lists every file that names a comparable language', async () => {
    const recipe = await readProjectFile('docs/add-a-locale.md');
    const users = await listUsers(
      /^(libs|services|\.configs)\/(?!.*\/i18n\/pt\.ts$).*/,
      /'pt'\]|\bPortuguese\b|\/pt-\*/,
    );
    expect(users.filter((file) => !recipe.includes(`\`${file}\``))).toEqual([]);
    expect(users.length).toBeGreaterThan(3);
  });
});

describe('docs/add-a-gateway.md', () => {
  const ADAPTERS = 'services/gateway-adapters/';

  it('lists exactly the source files that the folders of all gateways have in common', async () => {
    const recipe = await readProjectFile('docs/add-a-gateway.md');
    const registry = await readProjectFile('libs/gateway-registry/src/list.ts');
    const folders = [...registry.matchAll(/gateway-adapters\/([\w-]+)\/manifest/g)].map(
      ([, name = '']) => name,
    );
    const contents = folders.map((name) => new Set(filesBelow(`${ADAPTERS}${name}/`)));
    const [first = new Set<string>(), ...others] = contents;
    const common = [...first].filter((file) => others.every((content) => content.has(file)));
    expect(folders.length).toBeGreaterThan(2);
    expect(common.filter((file) => /^(README\.md|manifest\.ts|src\/.*\.ts)$/.test(file)).toSorted()).toEqual(
      listPaths(findPart(recipe, '## 2. Make the folder')),
    );
    expect(common).toContain('sandbox/index.ts');
  });

  /** Files of a folder that are no tests, relative to it. */
  const filesBelow = (folder: string): readonly string[] =>
    files
      .filter((file) => file.startsWith(folder) && !file.endsWith('.test.ts'))
      .map((file) => file.slice(folder.length));

  it('starts from a folder for each flow', async () => {
    const recipe = await readProjectFile('docs/add-a-gateway.md');
    const rows = [...recipe.matchAll(/^\| `(\w+)` .*`services\/gateway-adapters\/([\w-]+)` +\|$/gm)];
    const flows = rows.map(([, flow, folder]) => [flow, folder]);
    const stated = await Promise.all(
      flows.map(async ([, folder]) => {
        const manifest = await readProjectFile(`${ADAPTERS}${folder}/manifest.ts`);
        return [/flow: '(\w+)'/.exec(manifest)?.[1], folder];
      }),
    );
    expect(flows).toEqual(stated);
    expect(flows.length).toBe(3);
  });
});
