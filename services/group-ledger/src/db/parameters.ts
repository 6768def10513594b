/** The parameters of one statement, each named once: their numbers for its text and their values for a run of it. */
export type Parameters<Input, Name extends string> = {
  /** Placeholders in the text for each name: `$1`, `$2`, … in the order in which they were named. */
  readonly $: Readonly<Record<Name, string>>;
  /** The number of the first parameter behind these. */
  readonly next: number;
  /** The values of one run, in the order of their numbers. */
  readonly listValues: (input: Input) => unknown[];
};

/** Numbers a statement's parameters, given how each is read from the statement's input. */
export function nameParameters<Input, Name extends string>(
  values: Readonly<Record<Name, (input: Input) => unknown>>,
): Parameters<Input, Name> {
  const entries = Object.entries<(input: Input) => unknown>(values);
  const numbers = entries.map(([name], index) => [name, `$${index + 1}`] as const);
  return {
    $: Object.fromEntries(numbers) as Record<Name, string>,
    next: entries.length + 1,
    listValues: (input) => entries.map(([, read]) => read(input)),
  };
}
