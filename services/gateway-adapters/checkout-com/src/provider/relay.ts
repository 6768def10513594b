import type { Mode } from '@gp/contracts';
import type { GatewayAccount } from '@gp/gateway';
import { ProxyAgent, type Dispatcher } from '@gp/bundled/undici';
import type { Credentials } from './credentials.ts';

export type Relays = { of(account: GatewayAccount<Credentials>): Dispatcher };

/** The number of tunnels kept open; a busy merchant has one. */
const KEPT = 100;

/**
 * Opens tunnels through the decrypting relay, one agent for each relay key. The agents are never process-wide:
 * other requests of this process must not pass a machine that reads them.
 */
export function openRelays(o: {
  addresses: Readonly<Record<Mode, string>>;
  /** The relay ends the TLS connection with certificates of its own authority. */
  ca: string | undefined;
  maxResponseSize: number;
}): Relays {
  const agents = new Map<string, ProxyAgent>();

  const open = (uri: string, token: string): ProxyAgent =>
    new ProxyAgent({
      uri,
      token,
      // Plain HTTP inside the tunnel, too (the sandbox): the relay always requires CONNECT.
      proxyTunnel: true,
      maxResponseSize: o.maxResponseSize,
      ...(o.ca !== undefined && { requestTls: { ca: o.ca } }),
    });

  return {
    of({ mode, credentials }) {
      const name = `${mode} ${credentials.relay_api_key}`;
      const known = agents.get(name);
      if (known) return known;
      const [oldest] = agents;
      if (agents.size >= KEPT && oldest) {
        agents.delete(oldest[0]);
        void oldest[1].close();
      }
      const agent = open(o.addresses[mode], credentials.relay_api_key);
      agents.set(name, agent);
      return agent;
    },
  };
}
