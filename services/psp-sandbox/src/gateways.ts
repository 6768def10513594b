import type { PlayedGateway, Stage } from './app/gateway.ts';
import type { GatewayCode } from './domain/payment.ts';
import { gatewayA } from './gateway-a/index.ts';
import { gatewayB } from './gateway-b/index.ts';
import { gatewayC } from './gateway-c/index.ts';

/** Every gateway the sandbox plays. */
export function playedGateways(stage: Stage): ReadonlyMap<GatewayCode, PlayedGateway> {
  return new Map(
    [gatewayA, gatewayB, gatewayC].map((play) => play(stage)).map((gateway) => [gateway.code, gateway]),
  );
}
