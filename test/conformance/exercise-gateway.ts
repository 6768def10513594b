import type { PspCode } from '@gp/gateway-registry';
import { exerciseChallenges } from './challenges.ts';
import { exerciseCrashes } from './crashes.ts';
import { exerciseFaults } from './fault-matrix.ts';
import { exercisePromises } from './promises.ts';
import { describeSubject } from './subjects.ts';

/**
 * The conformance suite: the promises of every adapter, under every fault of its gateway. Black box over real processes;
 * `test/conformance.long.test.ts` in the folder of each gateway calls it.
 */
export function exerciseGateway(psp: PspCode): void {
  const subject = describeSubject(psp);
  exercisePromises(subject);
  exerciseFaults(subject);
  if (subject.authorisesFrom === 'server') exerciseChallenges(subject);
  exerciseCrashes(subject);
}
