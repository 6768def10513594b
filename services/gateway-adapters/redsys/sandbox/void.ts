import type { Reply, Stage } from '@gp/psp-sandbox/kit';
import { playStep, type Operation } from './steps.ts';

/** Type 9, a cancellation: releases the hold at once. */
export const voidOrder = (stage: Stage, operation: Operation): Promise<Reply> =>
  playStep(stage, operation, 'void');
