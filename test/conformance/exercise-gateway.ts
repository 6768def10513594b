import { exerciseCrashes } from './crashes.ts';
import { exerciseFaults } from './fault-matrix.ts';
import { exercisePromises } from './promises.ts';
import type { Subject } from './world.ts';

/**
 * The conformance suite: what every adapter promises, whatever its gateway does. Black box over real processes; a
 * new gateway calls it with its folder and a payer.
 */
export function exerciseGateway(subject: Subject): void {
  exercisePromises(subject);
  exerciseFaults(subject);
  exerciseCrashes(subject);
}
