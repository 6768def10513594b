import { runAdapter } from '@gp/gateway';
import { config } from './config.ts';
import { gatewayB } from './gateway.ts';

await runAdapter({ name: 'gateway-b', config, gateway: gatewayB });
