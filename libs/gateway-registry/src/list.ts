/** Every gateway: its wire code and its folder. A new gateway is one folder and one line here. */
export { manifest as gateway_a } from '../../../services/gateway-adapters/stripe/manifest.ts';
export { manifest as gateway_b } from '../../../services/gateway-adapters/checkout-com/manifest.ts';
export { manifest as gateway_c } from '../../../services/gateway-adapters/redsys/manifest.ts';
