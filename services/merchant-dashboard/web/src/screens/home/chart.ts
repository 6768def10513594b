/** What one colour stands for; `part` chooses the colour. */
export type Series = { readonly part: string; readonly name: string };
/** The bars over one name: a height and an exact text for each series, in their order. */
export type Column = { readonly name: string; readonly bars: readonly Bar[] };
export type Bar = { readonly height: number; readonly text: string };
export type Chart = {
  readonly title: string;
  /** What a look at the bars tells, in words. */
  readonly description: string;
  readonly series: readonly Series[];
  readonly columns: readonly Column[];
};
