import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../support/stack.ts';
import type { Frame } from './samples.ts';

/** A source file in a bundle: the line of the comment that names it, from 0, and its path in the repository. */
export type Part = { readonly line: number; readonly path: string };

/** Above each source file a bundle has its path as a comment. */
const HEAD = /^\/\/ ((?:libs|services|node_modules|test)\/\S+)$/;

/** Lists the source files of a bundle in their order; none for a file that is no bundle. */
export function listParts(text: string): readonly Part[] {
  return text.split('\n').flatMap((content, line) => {
    const path = HEAD.exec(content)?.[1];
    return path === undefined ? [] : [{ line, path }];
  });
}

/** Returns the source file that has this line of a bundle; undefined above the first one. */
export function findPart(parts: readonly Part[], line: number): string | undefined {
  return parts.findLast((part) => part.line <= line)?.path;
}

/** Returns a function that finds the place of code: the path of its source in the repository, or the name of a part of Node. */
export function placeFinder(): (frame: Frame) => string {
  const bundles = new Map<string, readonly Part[]>();
  const readParts = (file: string): readonly Part[] => {
    const known = bundles.get(file);
    if (known) return known;
    const parts = file.startsWith('dist/') ? listParts(readFileSync(`${root}/${file}`, 'utf8')) : [];
    bundles.set(file, parts);
    return parts;
  };
  return ({ url, lineNumber }) => {
    if (!url.startsWith('file:')) return url;
    const file = relative(root, fileURLToPath(url));
    return findPart(readParts(file), lineNumber) ?? file;
  };
}
