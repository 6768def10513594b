import { exerciseGateway } from '../../../../test/conformance/exercise-gateway.ts';

exerciseGateway('gateway_a');
