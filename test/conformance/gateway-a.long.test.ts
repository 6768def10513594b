import { exerciseGateway } from './exercise-gateway.ts';
import { gatewayA } from './subjects.ts';

exerciseGateway(gatewayA);
