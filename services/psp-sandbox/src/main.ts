import { runService } from '@gp/service';
import { config } from './config.ts';
import { openSandbox } from './sandbox.ts';

await runService('psp-sandbox', config, openSandbox);
