import { runAdapter } from '@gp/gateway';
import { manifest } from '../manifest.ts';
import { config } from './config.ts';
import { redsys } from './gateway.ts';

await runAdapter({ manifest, config, gateway: redsys });
