import { runAdapter } from '@gp/gateway';
import { config } from './config.ts';
import { gatewayC } from './gateway.ts';

await runAdapter({ name: 'gateway-c', config, gateway: gatewayC });
