import { exerciseGateway } from './exercise-gateway.ts';
import { gatewayC } from './subjects.ts';

exerciseGateway(gatewayC);
