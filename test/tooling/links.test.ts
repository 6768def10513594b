import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { listProjectFiles, project, readProjectFile } from './project-files.ts';

type Link = { readonly from: string; readonly target: string };

/** The guides are pages of the published reference; their links are addresses there. */
const GUIDES = 'libs/reference/guides/';
const ROOTS = 'charts|docs|k8s|libs|services|test|tilt';

const pages = (await listProjectFiles()).filter((file) => file.endsWith('.md') && !file.startsWith(GUIDES));
const texts = new Map(
  await Promise.all(pages.map(async (file) => [file, await readProjectFile(file)] as const)),
);

/** Text without fenced code, where `](` is no link. */
const stripCode = (text: string): string => text.replaceAll(/^```[^]*?^```/gm, '');

/** Relative links of a page. */
function listLinks([from, text]: readonly [string, string]): readonly Link[] {
  const targets = [...stripCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => !/^(https?|mailto):/.test(target)).map((target) => ({ from, target }));
}

/** Path of a link's file, relative to the project's root. */
const resolveLink = ({ from, target }: Link): string =>
  normalize(join(dirname(from), target.split('#')[0] || from.split('/').at(-1) || ''));

/** Anchors of a page's headings, as GitHub makes them. */
const listAnchors = (text: string): readonly string[] =>
  [...stripCode(text).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Paths that a page names in code marks, such as `libs/money/src`; patterns with `…`, `*`, `<` or `{` are none. */
const listNamedPaths = ([from, text]: readonly [string, string]): readonly Link[] =>
  [...stripCode(text).matchAll(new RegExp(`\`((?:${ROOTS})/[^\`\\s…*<{]*)\``, 'g'))].map(
    ([, target = '']) => ({
      from,
      target: target.split('#')[0] ?? '',
    }),
  );

const links = [...texts].flatMap(listLinks);

describe('a link of a page', () => {
  it('a link of a page leads to a file or folder of the project', () => {
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter((link) => !existsSync(join(project, resolveLink(link))))).toEqual([]);
  });

  it('a link of a page leads to a heading that exists', () => {
    const withAnchor = links.filter(({ target }) => target.includes('#') && /\.md(#|$)|^#/.test(target));
    const broken = withAnchor.filter((link) => {
      const text = texts.get(resolveLink(link)) ?? '';
      return !listAnchors(text).includes(link.target.split('#')[1] ?? '');
    });
    expect(broken).toEqual([]);
  });
});

describe('a page of docs/', () => {
  const docs = [...texts].filter(([file]) => file.startsWith('docs/') || !file.includes('/'));

  it('a page of docs/ names paths that exist', () => {
    expect(docs.flatMap(listNamedPaths).filter(({ target }) => !existsSync(join(project, target)))).toEqual(
      [],
    );
  });

  it('a page of docs/ is reached from the README', () => {
    const reached = new Set(['README.md']);
    for (const file of reached)
      for (const link of listLinks([file, texts.get(file) ?? ''])) reached.add(resolveLink(link));
    const unreached = docs.map(([file]) => file).filter((file) => !reached.has(file));
    expect(unreached).toEqual([]);
  });
});

describe('docs/operate.md', () => {
  it('docs/operate.md links from each alert to the page that the alert names', async () => {
    const rules = (await listProjectFiles()).filter((file) =>
      file.startsWith('charts/group-payments/alerts/'),
    );
    const text = (await Promise.all(rules.map(readProjectFile))).join('\n');
    const alerts = [...text.matchAll(/alert: (\w+)[^]*?runbook_url: \S+\/blob\/main\/(\S+)/g)];
    const rows = [
      ...(texts.get('docs/operate.md') ?? '').matchAll(/^\| `(\w+)` +\| \[.*\]\(\.\.\/(\S+)\)/gm),
    ];
    const listPairs = (found: readonly RegExpExecArray[]): readonly string[] =>
      found.map(([, alert, page]) => `${alert} ${page}`).toSorted();
    expect(listPairs(rows)).toEqual(listPairs(alerts));
    expect(alerts.length).toBeGreaterThan(20);
  });
});
