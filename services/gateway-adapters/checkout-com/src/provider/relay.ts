import type { Mode } from '@gp/contracts';
import type { Account } from '@gp/gateway';
import { ProxyAgent, type Dispatcher } from 'undici';
import type { Credentials } from './credentials.ts';

export type Relays = { of(account: Account<Credentials>): Dispatcher };

/** Tunnels kept open; a busy merchant has one. */
const KEPT = 100;

/**
 * Opens tunnels through the decrypting relay, one agent for each relay key. An agent of its own and never a
 * process-wide one: whatever else this process sends must not pass a machine that reads it.
 */
export function openRelays(o: {
  addresses: Readonly<Record<Mode, string>>;
  /** The relay ends the encryption with certificates of its own authority. */
  ca: string | undefined;
  maxResponseSize: number;
}): Relays {
  const agents = new Map<string, ProxyAgent>();

  const open = (uri: string, token: string): ProxyAgent =>
    new ProxyAgent({
      uri,
      token,
      // Plain HTTP inside the tunnel, too (the sandbox): the relay always wants CONNECT.
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
