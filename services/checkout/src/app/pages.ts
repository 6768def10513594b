import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findLanguage, type Locale, type ServerEntry } from '@gp/checkout-web/bootstrap';
import { isCompressedForm, readCompressible, type Compressible } from '@gp/http';

/** A file for browsers, named by its content, as it is and compressed. */
export type Asset = Compressible & { readonly type: string };

/** The addresses, on this origin, of what a document loads. */
export type Loads = {
  readonly script: string;
  /** The module with the sentences of the document's language. */
  readonly sentences: string;
  /** The module with those that the payers' page fetches with its later steps. */
  readonly laterSentences: string;
  /** The module with those that only this page has. */
  readonly ownSentences?: string;
  readonly styles: readonly string[];
  /** Modules that will be needed at once. */
  readonly preloads: readonly string[];
};

/** The built pages: the function that draws a view, what a page loads, and the files by name. */
export type Pages = {
  readonly draw: ServerEntry['draw'];
  readonly writeMail: ServerEntry['writeMail'];
  readonly writeMinimum: ServerEntry['writeMinimum'];
  readonly writeTips: ServerEntry['writeTips'];
  loads(entry: 'page' | 'embed' | 'friends' | 'payment' | 'organiser', locale: Locale): Loads;
  readonly assets: ReadonlyMap<string, Asset>;
};

type Chunk = {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
};
type Manifest = Readonly<Record<string, Chunk>>;

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
};

/** Reads the built pages. Rejects when they were not built: a service without its pages must not start. */
export async function openPages(dist: string): Promise<Pages> {
  const [client, organiser] = await Promise.all([
    readBuild(join(dist, 'client')),
    readBuild(join(dist, 'organiser')),
  ]);
  const server = (await import(pathToFileURL(join(dist, 'server/server.js')).href)) as ServerEntry;
  return {
    draw: server.draw,
    writeMail: server.writeMail,
    writeMinimum: server.writeMinimum,
    writeTips: server.writeTips,
    loads(entry, locale) {
      const language = findLanguage(locale);
      const common = {
        sentences: findSentences(client.manifest, `src/i18n/${language}.ts`),
        laterSentences: findSentences(client.manifest, `src/i18n/${language}.ts?later`),
      };
      if (entry === 'friends' || entry === 'payment')
        return { ...listLoadsBeside(client.manifest, `src/${entry}.ts`), ...common };
      if (entry !== 'organiser') return { ...listLoads(client.manifest, `src/${entry}.tsx`), ...common };
      const ownSentences = findSentences(organiser.manifest, `src/i18n/organiser/${language}.ts`);
      return { ...listLoads(organiser.manifest, 'src/organiser.tsx'), ...common, ownSentences };
    },
    assets: new Map([...client.assets, ...organiser.assets]),
  };
}

/** The files of one build, and what its documents load. */
type Build = { readonly manifest: Manifest; readonly assets: ReadonlyMap<string, Asset> };

async function readBuild(folder: string): Promise<Build> {
  const text = await readFile(join(folder, '.vite/manifest.json'), 'utf8').catch((cause: unknown) => {
    throw new Error(`The pages are not built: there is no ${folder}. Say: npm run build`, { cause });
  });
  return { manifest: JSON.parse(text) as Manifest, assets: await readAssets(folder) };
}

/** Returns the entry's script with its styles and imports. */
function listLoads(manifest: Manifest, entry: string): Omit<Loads, 'sentences' | 'laterSentences'> {
  const chunk = findChunk(manifest, entry);
  const needed = (chunk.imports ?? []).map((name) => findChunk(manifest, name));
  return {
    script: toAssetPath(chunk.file),
    styles: [...new Set([chunk, ...needed].flatMap(({ css = [] }) => css))].map(toAssetPath),
    preloads: needed.map(({ file }) => toAssetPath(file)),
  };
}

/** Returns what a page beside the payers' page loads: a script of its own, and its styles after those of the payers' page. */
function listLoadsBeside(manifest: Manifest, entry: string): Omit<Loads, 'sentences' | 'laterSentences'> {
  const own = listLoads(manifest, entry);
  return { ...own, styles: [...listLoads(manifest, 'src/page.tsx').styles, ...own.styles] };
}

const findSentences = (manifest: Manifest, name: string): string =>
  toAssetPath(findChunk(manifest, name).file);

function findChunk(manifest: Manifest, name: string): Chunk {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`the manifest of the pages has no ${name}`);
  return chunk;
}

const toAssetPath = (file: string): string => `/assets/${file}`;

async function readAssets(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const known = files.filter(
    (file) => file.isFile() && !file.parentPath.includes('.vite') && !isCompressedForm(file.name),
  );
  const assets = known.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    return [path.slice(folder.length + 1), { type, ...(await readCompressible(path)) }] as const;
  });
  return new Map(await Promise.all(assets));
}
