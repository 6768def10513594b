import { exerciseGateway } from './exercise-gateway.ts';
import { browserPayer } from './payers.ts';

exerciseGateway({ psp: 'gateway_a', folder: 'services/gateway-adapters/gateway-a', payer: browserPayer });
