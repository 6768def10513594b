import { writeGenerated } from '@gp/testing';
import { generated } from './generated.ts';

for (const client of generated) await writeGenerated(client);
