import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { selectChanges } from './changelog.ts';

const CHANGELOG = `# Changelog

Words before.

## [Unreleased]

### Added

- **API:** A field
  of two lines.
- A screen.

### Fixed

- A crash.

## [1.1.0] - 2030-01-02

### Changed

- The chart.

## [1.0.0] - 2030-01-01

### Added

- **API:** Everything.
`;

it('the changelog of the reference has the marked entries by release, newest first, and no release without one', () => {
  const [heading, , ...rest] = selectChanges(CHANGELOG).split('\n\n');
  expect(heading).toBe('# Changelog');
  expect(rest).toEqual([
    '## Since the last release',
    '**Added**',
    '- A field\n  of two lines.',
    '## Release 1.0.0, 2030-01-01',
    '**Added**',
    '- Everything.',
  ]);
});

it('a marked entry of the project’s changelog links to nothing that only the repository has', async () => {
  const changelog = await readFile(resolve(import.meta.dirname, '../../../../CHANGELOG.md'), 'utf8');
  const shown = selectChanges(changelog);
  const links = [...shown.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
  expect(links.filter((target) => !/^(https:\/\/|#)/.test(target))).toEqual([]);
  expect(shown.match(/^- /gm)?.length).toBeGreaterThan(30);
  expect(shown).toContain('## Release 1.0.0, 2026-11-22');
  expect(shown).not.toContain('**API:**');
});
