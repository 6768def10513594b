import * as contracts from '@gp/contracts';
import { pspCodes } from '@gp/gateway-registry';
import { expect, it } from '@jest/globals';
import { listProjectFiles, readProjectFile } from './project-files.ts';

/** Calls that libs/outbox and libs/test-clock answer in every service that has them; no README repeats them. */
const COMMON = /\.(tasks|dead-letters|outbox|test-clocks\.(look|move))\./;

/** Subjects of all calls. */
function listCalls(): readonly string[] {
  const values = Object.values(contracts).flatMap((value: unknown) =>
    isMaker(value) ? pspCodes.map((code) => tryCall(value, code)) : [value],
  );
  const subjects = values.map((value) => (value as { subject?: unknown } | null | undefined)?.subject);
  return subjects.filter(
    (subject): subject is string =>
      typeof subject === 'string' && subject.startsWith('rpc.') && !COMMON.test(subject),
  );
}

/** A function of one argument, which may make a contract from a gateway's code. */
const isMaker = (value: unknown): value is (code: string) => unknown =>
  typeof value === 'function' && value.length === 1;

function tryCall(make: (code: string) => unknown, code: string): unknown {
  try {
    return make(code);
  } catch {
    return undefined;
  }
}

/** `a.{b,c}.d` as `a.b.d` and `a.c.d`. */
const expand = (text: string): readonly string[] => {
  const [, before = '', list, after = ''] = /^(.*?)\{(.*?)\}(.*)$/.exec(text) ?? [];
  return list === undefined ? [text] : list.split(',').flatMap((part) => expand(before + part + after));
};

it('READMEs of services list every call that a service handles, and no other', async () => {
  const files = (await listProjectFiles()).filter((file) => /^services\/.*README\.md$/.test(file));
  const rows = await Promise.all(
    files.map(async (file) => /^\| answers +\|(.*)\|$/m.exec(await readProjectFile(file))?.[1] ?? ''),
  );
  const listed = rows
    .flatMap((row) => [...row.matchAll(/`(rpc\.[^`]+)`/g)].flatMap(([, text = '']) => expand(text)))
    .filter((subject) => !COMMON.test(subject));
  expect(listed.toSorted()).toEqual([...new Set(listCalls())].toSorted());
});
