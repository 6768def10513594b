import { writeGenerated } from '@gp/testing';
import { generated } from './generated.ts';

await writeGenerated(await generated());
