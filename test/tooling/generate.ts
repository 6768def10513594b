import { writeGenerated } from '@gp/testing';
import { describeGenerated } from './generated.ts';

await writeGenerated(await describeGenerated());
