import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { chart } from '../../processes.ts';

export type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
};

const folder = join(chart, 'alerts');

/** The files of alerts that the chart carries. */
export const ruleFiles: readonly string[] = readdirSync(folder).map((file) => join(folder, file));

/** A rule that records a series, or an alert. */
type Recorded = Rule | (Pick<Rule, 'expr' | 'labels'> & { readonly record: string });

const all: readonly Recorded[] = ruleFiles.flatMap((file) => {
  const { groups } = parse(readFileSync(file, 'utf8')) as {
    groups: readonly { readonly rules: Recorded[] }[];
  };
  return groups.flatMap((group) => group.rules);
});

/** Every alert in them. */
export const rules: readonly Rule[] = all.filter((rule): rule is Rule => 'alert' in rule);

/** The expressions of alerts and of recorded series. */
export const expressions: readonly string[] = all.map(({ expr }) => expr);
