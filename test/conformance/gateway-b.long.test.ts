import { exerciseGateway } from './exercise-gateway.ts';
import { gatewayB } from './subjects.ts';

exerciseGateway(gatewayB);
