import { exerciseGateway } from './exercise-gateway.ts';
import { confirmingPayer } from './payers.ts';

exerciseGateway({ psp: 'gateway_b', folder: 'services/gateway-adapters/gateway-b', payer: confirmingPayer });
