import { writeGenerated } from '@gp/testing';
import { generated } from './generated.ts';
import { widgetRelease } from './widget-release.ts';

await writeGenerated(generated);
await writeGenerated(await widgetRelease());
