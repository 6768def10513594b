import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { failPoints as adapterPoints } from '@gp/gateway';
import { root } from '../support/stack.ts';
import { crashMatrix } from './cells.ts';

/** Points that no journey of the matrix passes: the tests of what passes them kill the process there. */
const killedElsewhere: Readonly<Record<string, readonly string[]>> = {
  'test/journeys/test-clock.long.test.ts': [
    'scheduler.clock-advance.before',
    'scheduler.clock-advance.after',
    'scheduler.clock-move.before',
    'scheduler.clock-move.after',
    'scheduler.clock-release.before',
    'scheduler.clock-release.after',
  ],
  'services/checkout/test/kills.long.test.ts': ['checkout.signing-key.before', 'checkout.signing-key.after'],
};

const LITERAL = /'([a-z_]+\.[a-z-]+\.(?:before|after))'/g;
const sources = globSync(['services/**/src/**/*.ts', 'libs/*/src/**/*.ts'], {
  cwd: root,
  exclude: (name) => name === 'node_modules',
});
const texts = await Promise.all(sources.map((file) => readFile(join(root, file), 'utf8')));
/** Every point that is named anywhere in the platform, the lists of fail points and single calls alike. */
const named = new Set(texts.flatMap((text) => [...text.matchAll(LITERAL)].map(([, point]) => point ?? '')));

const walked = new Set(crashMatrix.flatMap(({ points }) => points));
const elsewhere = new Set(Object.values(killedElsewhere).flat());

describe('the crash tests', () => {
  it('the crash tests kill a process at every fail point of every service and of the outbox', () => {
    expect(named.size).toBeGreaterThan(90);
    const nowhere = [...named].filter((point) => !walked.has(point) && !elsewhere.has(point));
    expect(nowhere).toEqual([]);
  });

  it('the crash tests kill the adapter of at least one gateway at every fail point that adapters share', () => {
    const steps = new Set([...walked].map((point) => point.split('.').slice(1).join('.')));
    expect(adapterPoints.filter((point) => !steps.has(point))).toEqual([]);
  });

  it.each(Object.entries(killedElsewhere))(
    'the crash tests include %s, which names the fail points that are listed for it',
    async (file, points) => {
      const text = await readFile(join(root, file), 'utf8');
      expect(points.filter((point) => !text.includes(point))).toEqual([]);
      expect(points.filter((point) => !named.has(point))).toEqual([]);
    },
  );

  it('the crash tests wait for no fail point that does not exist', () => {
    const known = new Set([...named, ...adapterPoints]);
    const isKnown = (point: string) => known.has(point) || known.has(point.split('.').slice(1).join('.'));
    expect([...walked].filter((point) => !isKnown(point))).toEqual([]);
  });
});
