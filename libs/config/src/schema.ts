import type { Field } from './fields.ts';

export type ConfigShape = Readonly<Record<string, Field<unknown>>>;

export type ConfigOf<S extends ConfigShape> = {
  readonly [K in keyof S]: S[K] extends Field<infer T> ? T : never;
};

/** A configuration's shape and the checks that need more than one field. */
export type ConfigSchema<C> = {
  readonly shape: ConfigShape;
  /** Returns a sentence for every fault; called only when each field is valid by itself. */
  readonly crossCheck: (config: C) => readonly string[];
};

/** Declares a configuration; `crossCheck` may refuse combinations that would be unsafe to run. */
export function defineConfig<const S extends ConfigShape>(
  shape: S,
  crossCheck: (config: ConfigOf<S>) => readonly string[] = () => [],
): ConfigSchema<ConfigOf<S>> {
  return Object.freeze({ shape, crossCheck });
}

/** Returns the environment variable of a key: `databaseUrl` is read from `DATABASE_URL`. */
export function toVariableName(key: string): string {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toUpperCase();
}

/** Returns the schema as a Markdown table for a README, one variable a row. */
export function describeConfig<C>(schema: ConfigSchema<C>): string {
  const rows = Object.entries(schema.shape).map(([key, field]) =>
    row([`\`${toVariableName(key)}\``, field.kind, presence(field), field.describe]),
  );
  return ['| Variable | Value | Default | Meaning |', '| --- | --- | --- | --- |', ...rows, ''].join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

function presence(field: Field<unknown>): string {
  if (field.isRequired) return 'required';
  const { fallback } = field;
  if (fallback === undefined) return 'none';
  return `\`${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}\``;
}
