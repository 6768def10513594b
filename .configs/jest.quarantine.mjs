import { readFileSync } from 'node:fs';

/**
 * Tests that sometimes fail for a reason that is known and not mended yet. Runs leave them out; `npm run quarantine` runs
 * them alone, each with a second try. `test` is a title as it stands in its file.
 * @type {readonly { file: string; test: string; reason: string; owner: string }[]}
 */
export const quarantine = JSON.parse(
  readFileSync(new URL('../test/quarantine.json', import.meta.url), 'utf8'),
);

/** A title with what `it.each` puts into it: `%s`, `$name`. */
const toPattern = (title) =>
  new RegExp(
    `^${title
      .split(/%[#%dfijops]|\$[\w.]+/)
      .map((text) => RegExp.escape(text))
      .join('.*')}$`,
    's',
  );

/**
 * Leaves out of a file's tests those in quarantine, or every other one.
 * @param block the root block of jest-circus, whose tests are marked `skip`
 * @param {readonly string[]} titles the file's tests in quarantine
 * @param {boolean} isQuarantineRun whether these are to run, and they alone
 */
export function chooseTests(block, titles, isQuarantineRun) {
  const patterns = titles.map(toPattern);
  const choose = ({ children }) => {
    for (const child of children) {
      if (child.type === 'describeBlock') choose(child);
      else if (patterns.some((pattern) => pattern.test(child.name)) !== isQuarantineRun) child.mode = 'skip';
    }
  };
  choose(block);
}
