import { runAdapter } from '@gp/gateway';
import { manifest } from '../manifest.ts';
import { config } from './config.ts';
import { checkoutCom } from './gateway.ts';

await runAdapter({ manifest, config, gateway: checkoutCom });
