import type { Problem } from '../bootstrap.ts';
import type { Translate } from '../i18n/translate.ts';

const stems = {
  not_found: 'problemNotFound',
  unavailable: 'problemUnavailable',
  too_many: 'problemTooMany',
} as const satisfies Record<Problem, string>;

export const problemKey = (problem: Problem): (typeof stems)[Problem] => stems[problem];

/** A page without a payment, for an error. */
export function ProblemPage({ problem, t }: { problem: Problem; t: Translate }) {
  return (
    <div class="page">
      <main class="problem">
        <h1>{t(problemKey(problem))}</h1>
        <p>{t(`${problemKey(problem)}Text`)}</p>
      </main>
    </div>
  );
}
