import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGroupsStatement } from '../src/db/create-groups.ts';

/** The create statement as a file: benchmarks and psql run the very text the service runs. */
await writeFile(join(import.meta.dirname, 'create-groups.sql'), createGroupsStatement.text + '\n');
