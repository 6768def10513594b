import type { Mode, OrganiserRight } from '@gp/contracts';

export type { OrganiserRight };

/**
 * The data the organiser's page starts with. `L` are the locales of the page, `G` a group, `P` a logo and `S` sentences as the
 * payers' page has them.
 *
 * `GET {path}/events` is the live stream of the payers' page, without a token: the path is the secret. `POST {path}/remind`,
 * `POST {path}/extend` with `{"expires_at": …}` and `POST {path}/cancel` act; each returns an Acted. Errors have the shape of
 * the API's: `not_found` for a link that was replaced, `insufficient_scope` for a right that was not given.
 */
export type OrganiserBootstrapIn<L, G, P, S> = {
  readonly kind: 'organiser';
  readonly mode: Mode;
  readonly locale: L;
  readonly written_as: string;
  readonly payee: string | null;
  readonly brand_color: string | null;
  readonly logo?: P;
  readonly group: G;
  readonly sentences?: S;
  readonly may: readonly OrganiserRight[];
  /** The latest end that the organiser may set; null without the right. */
  readonly latest_expires_at: string | null;
  /** How many payers a reminder would reach now; 0 also where it is not possible. */
  readonly remindable: number;
  /** The path of this page, on this origin. */
  readonly path: string;
  /** The path of the payers' page, on this origin. */
  readonly payers_path: string;
  readonly server_time: string;
};

/** What became of a reminder: how many payers get a mail, and how many another one would reach now. */
export type Reminded = { readonly reminded: number; readonly remindable: number };
