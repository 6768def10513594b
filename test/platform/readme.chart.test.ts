import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { render, type Values } from './helm.ts';
import { schemaFaults, unknownFields } from './kubernetes.ts';
import { chart } from './processes.ts';

const readme = readFileSync(join(chart, 'README.md'), 'utf8');
const section = /\n## Adapt it\n([^]*?)\n## /.exec(readme)?.[1] ?? '';
const examples = [...section.matchAll(/```yaml\n([^]*?)```/g)].map(([, text = '']): [string, Values] => [
  Object.keys(parse(text) as Values).join(', '),
  parse(text) as Values,
]);

describe('the examples of the chart’s README', () => {
  it('the section on adapting has an example of each part that values can say', () => {
    expect(examples.length).toBe((section.match(/^\*\*/gm) ?? []).length - 1);
  });

  it.each(examples)(
    'the values of %s change an installation into objects that Kubernetes knows',
    async (_title, values) => {
      const objects = await render({ values });
      expect(JSON.stringify(objects)).not.toBe(JSON.stringify(await render()));
      expect(await schemaFaults(objects)).toEqual([]);
      expect(unknownFields(objects)).toEqual([]);
    },
  );
});
