import type { Bus } from '@gp/bus';
import type { Given, OptionName } from './options.ts';
import type { Way } from './ways.ts';

type Described = {
  readonly does: string;
  readonly needs: readonly OptionName[];
  readonly takes: readonly OptionName[];
  /** Alternatives to one another: the options of exactly one are given. */
  readonly ways?: readonly Way[];
};

/** One command: its required and optional options, its description, and its action. */
export type Command = Described &
  (
    | { readonly run: (bus: Bus, given: Given) => Promise<unknown> }
    /** Needs neither a platform nor a key. */
    | { readonly runAlone: (given: Given) => Promise<unknown> }
  );

export type Commands = Readonly<Record<string, Command>>;

/** Returns an option that `parseCommandLine` has found to be present. */
export const the = (text: string | undefined): string => text ?? '';

/** Returns the instant that an option names, in UTC. */
export const parseInstant = (text: string | undefined): string => new Date(the(text)).toISOString();
