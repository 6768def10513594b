import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { validationError } from '@gp/errors';

/** The estimate takes longer with every character; what begins well enough is good enough. */
const LONGEST = 64;
/** Below 10^8 guesses: every list of common and breached passwords is tried within that. */
const LOWEST_SCORE = 3;

let estimator: Promise<ZxcvbnFactory> | undefined;

/**
 * Throws `validation_error` for a password that is common or easy to guess: of a list of breached passwords, a
 * repetition, a sequence, a pattern of the keyboard, or the user's own `words`.
 */
export async function assertHardToGuess(password: string, words: readonly string[]): Promise<void> {
  estimator ??= loadEstimator();
  const { score } = (await estimator).check(password.slice(0, LONGEST), [...words]);
  if (score < LOWEST_SCORE)
    throw validationError('password', 'is too easy to guess; use some words that do not belong together');
}

/** The lists take some 30 MB, so they are loaded when a user first chooses a password. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Estimator }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new Estimator({ dictionary, graphs: adjacencyGraphs });
}
