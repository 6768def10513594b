/** What a simulated database did, in the order in which it did it. */
export type Recorded =
  | { readonly schema: string; readonly kind: 'begin' | 'commit' | 'rollback' }
  | {
      readonly schema: string;
      readonly kind: 'statement';
      readonly name: string;
      readonly text: string;
      readonly values: readonly unknown[];
      readonly nowMs: number;
      /** The rows that it returned, or the constraint that refused it. */
      readonly rows?: readonly unknown[];
      readonly constraint?: string;
    };

/** Records what one simulated database does, so that a real one can be asked for the same. */
export class Recorder {
  readonly #schema: string;
  readonly #log: Recorded[];

  constructor(schema: string, log: Recorded[]) {
    this.#schema = schema;
    this.#log = log;
  }

  note(kind: 'begin' | 'commit' | 'rollback'): void {
    this.#log.push({ schema: this.#schema, kind });
  }

  statement(
    { name, text }: { readonly name: string; readonly text: string },
    values: readonly unknown[],
    nowMs: number,
    result: { readonly rows?: readonly unknown[]; readonly constraint?: string },
  ): void {
    const copied = structuredClone({ values, result });
    this.#log.push({
      schema: this.#schema,
      kind: 'statement',
      name,
      text,
      values: copied.values,
      nowMs,
      ...copied.result,
    });
  }
}
