import type { Reply, Stage } from '@gp/psp-sandbox/kit';
import { playStep, type Operation } from './steps.ts';

/** Type 2, a confirmation: captures the whole hold or a part of it, at once. */
export const capture = (stage: Stage, operation: Operation): Promise<Reply> =>
  playStep(stage, operation, 'capture');
