import type { PspCode } from '../../src/http/api.ts';

/**
 * A field that a merchant enters for a gateway, under the name its adapter knows. Secrets can be written but not
 * read.
 */
export type Field = { readonly name: string; readonly label: string; readonly isSecret: boolean };

export type GatewayKind = {
  readonly psp: PspCode;
  readonly name: string;
  /** A description that helps a merchant to choose. */
  readonly about: string;
  readonly fields: readonly Field[];
};

/** A test card and what the sandbox does with it. */
export type Card = { readonly number: string; readonly outcome: string };

export type Cards = {
  /** The gateways that take these cards. */
  readonly gateways: string;
  readonly approved: readonly Card[];
  /** Cards that lead to 3-D Secure. */
  readonly challenged: readonly Card[];
  readonly declined: readonly Card[];
  readonly notes: readonly string[];
};
