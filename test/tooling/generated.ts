import type { Generated } from '@gp/testing';
import { readCoverage, renderCoverage } from './coverage-map.ts';
import { project } from './project-files.ts';

/** The map of guarantees and tests, written from the tests' titles. */
export async function describeGenerated(): Promise<Generated> {
  return { folder: `${project}test`, files: { 'coverage.md': await renderCoverage(await readCoverage()) } };
}
