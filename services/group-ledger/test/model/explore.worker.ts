import { parentPort, workerData } from 'node:worker_threads';
import { decide } from '../../src/domain/index.ts';
import { explore } from './explore.ts';
import type { Bounds } from './world.ts';

// Outside the test runner's sandbox the walk is three times as fast, and walks run beside each other.
const { bounds, maxStates } = workerData as { bounds: Bounds; maxStates: number };
parentPort?.postMessage(explore(decide, bounds, maxStates));
