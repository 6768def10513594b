import { describe, expect, it } from '@jest/globals';
import { listProjectFiles, readProjectFile } from './project-files.ts';

/**
 * Lines that git leaves in a file with a conflict, also as prettier writes them in Markdown: in a heading, list or table,
 * with an escape, or as a quotation. The samples are put together here, so that this file itself is searched.
 */
const markers: readonly { what: string; pattern: RegExp; samples: readonly string[] }[] = [
  {
    what: 'the start of one side',
    pattern: /^[ |\\#*-]*<{7}(?!<)/m,
    samples: buildSamples('<', ['% HEAD', '# % HEAD', '  % HEAD', '| % HEAD |', '\\% HEAD']),
  },
  {
    what: 'the common ancestor of both sides',
    pattern: /^ *\|{7} /m,
    samples: buildSamples('|', ['% 1a2b3c', '  % 1a2b3c']),
  },
  {
    what: 'the line between both sides',
    pattern: /^[ |\\]*={7}[ |]*$/m,
    samples: buildSamples('=', ['%', '  \\%', '| %      |']),
  },
  {
    what: 'the end of the other side',
    pattern: /^[ |\\#*-]*(?:>{7}(?!>)|(?:> ){6}>)/m,
    samples: [...buildSamples('>', ['% branch', '# % branch']), `${'> '.repeat(7)}branch`],
  },
];

function buildSamples(sign: string, lines: readonly string[]): readonly string[] {
  return lines.map((line) => `before\n${line.replace('%', sign.repeat(7))}\nafter`);
}

describe.each(markers)('$what', ({ pattern, samples }) => {
  it.each(samples)('the pattern of a conflict marker finds a planted example: %j', (sample) => {
    expect(sample).toMatch(pattern);
  });

  it('no file contains a conflict marker', async () => {
    const guilty: string[] = [];
    for (const file of await listProjectFiles()) {
      const found = pattern.exec(await readProjectFile(file));
      if (found) guilty.push(`${file}: ${found[0]}`);
    }
    expect(guilty).toEqual([]);
  });
});
