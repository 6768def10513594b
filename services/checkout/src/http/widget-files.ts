import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WidgetFiles } from './widget.routes.ts';

type Manifest = { readonly latest: string; readonly integrity: Readonly<Record<string, string>> };

/** Reads every released loader from its folder; a missing one is an error of the image. */
export async function readWidgetFiles(folder: string): Promise<WidgetFiles> {
  const text = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');
  const { latest, integrity } = JSON.parse(await text('generated/manifest.json')) as Manifest;
  const loaders = Object.entries(integrity).map(
    async ([version, hash]) =>
      [version, { code: await text(`generated/${version}.loader`), integrity: hash }] as const,
  );
  return { latest, loaders: new Map(await Promise.all(loaders)), types: await text('v1.d.ts') };
}
