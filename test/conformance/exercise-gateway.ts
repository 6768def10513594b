import { exerciseCrashes } from './crashes.ts';
import { exerciseFaults } from './fault-matrix.ts';
import { exercisePromises } from './promises.ts';
import type { Subject } from './subjects.ts';

/**
 * The conformance suite: what every adapter promises, whatever its gateway does. Black box over real processes; a
 * new gateway calls it with what `subjects.ts` says of it.
 */
export function exerciseGateway(subject: Subject): void {
  exercisePromises(subject);
  exerciseFaults(subject);
  exerciseCrashes(subject);
}
