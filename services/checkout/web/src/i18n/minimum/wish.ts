import type { CaptureMinimum } from '@gp/contracts';

/** What the sentences about a capture at the expiry are written from. `L` are the locales of the page. */
export type MinimumWishIn<L> = {
  readonly locale: L;
  readonly written_as: string;
  readonly currency: string;
  readonly fraction_digits: number;
  readonly minimum: CaptureMinimum;
};
