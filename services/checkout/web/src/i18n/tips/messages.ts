/** The sentences about tips: the server sends them with the pages of groups that take tips. */
export type TipMessages = {
  readonly title: string;
  readonly none: string;
  readonly other: string;
  readonly most: string;
  readonly included: string;
};
