import { writeGenerated } from '@gp/testing';
import { generated } from './metrics-page.ts';

await writeGenerated(await generated());
