import { writeGenerated } from '@gp/testing';
import { describeGenerated } from './results.ts';

await writeGenerated(await describeGenerated());
