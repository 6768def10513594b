import { runAdapter } from '@gp/gateway';
import { config } from './config.ts';
import { gatewayA } from './gateway.ts';

await runAdapter({ name: 'gateway-a', config, gateway: gatewayA });
