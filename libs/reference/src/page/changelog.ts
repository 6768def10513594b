/** What marks an entry of the changelog that is about the interface, its documents, clients or events. */
const MARK = '- **API:** ';

const INTRODUCTION =
  'What changed for integrations, newest first: the entries of the platform’s changelog that are about the interface, its events, its documents and its clients. [Versions and migration](#versions-and-migration) says what a program has to tolerate.';

/**
 * Returns the entries of a changelog that integrators notice, as Markdown of one chapter with a section for each release. The
 * changelog has the form of Keep a Changelog.
 */
export function selectChanges(changelog: string): string {
  const [, ...releases] = changelog.split(/^## /m);
  const sections = releases.map(writeRelease).filter((section) => section !== undefined);
  return ['# Changelog', INTRODUCTION, ...sections].join('\n\n');
}

function writeRelease(text: string): string | undefined {
  const [, version = '', date] = /^\[([^\]]+)\](?: - (\S+))?/.exec(text) ?? [];
  const [, ...kinds] = text.split(/^### /m);
  const parts = kinds.map(writeKind).filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  const title = date === undefined ? 'Since the last release' : `Release ${version}, ${date}`;
  return [`## ${title}`, ...parts].join('\n\n');
}

/** `Added` and what stands below it; headings of the same name in several releases would have one anchor. */
function writeKind(text: string): string | undefined {
  const [kind = '', ...lines] = text.split('\n');
  const entries = lines
    .join('\n')
    .split(/^(?=- )/m)
    .filter((entry) => entry.startsWith(MARK))
    .map((entry) => `- ${entry.slice(MARK.length).trim()}`);
  return entries.length === 0 ? undefined : [`**${kind.trim()}**`, entries.join('\n')].join('\n\n');
}
