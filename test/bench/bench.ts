import type { OwnStack } from '../support/own-stack.ts';
import type { Merchant, StackFile } from '../support/stack.ts';
import type { Figure } from './ratios.ts';

/** Arguments of every measure. */
export type Bench = {
  readonly stack: StackFile;
  /** The stack's processes, for measures that start and stop some. */
  readonly own: OwnStack;
  readonly merchant: Merchant;
  /** Interleaved rounds of subject and references. */
  readonly rounds: number;
  /** Length of one load phase. */
  readonly seconds: number;
  /** Groups that the measure of growth grows to. */
  readonly groups: number;
  readonly say: (line: string) => void;
};

export type Measure = (bench: Bench) => Promise<Figure[]>;
