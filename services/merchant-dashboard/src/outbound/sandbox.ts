import { AppError } from '@gp/errors';
import type { SandboxAccounts } from '../app/ports.ts';
import type { Callbacks } from '../domain/sandbox-callbacks.ts';

const TIMEOUT_MS = 5_000;

/** Opens accounts at the sandbox, whose callbacks go to the adapter of their gateway. */
export function connectSandbox(o: {
  readonly url: string;
  readonly callbacks: Callbacks;
  readonly token: string | undefined;
}): SandboxAccounts {
  const authorization = o.token && { authorization: `Bearer ${o.token}` };
  return {
    async open(psp, { id, name }) {
      const body = { name: id, display_name: name, webhook_url: o.callbacks[psp] };
      const response = await fetch(`${o.url}/control/${psp}/accounts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...authorization },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch((cause: unknown) => {
        throw new AppError('service_unavailable', {}, { cause });
      });
      if (!response.ok) {
        await response.body?.cancel();
        const cause = new Error(`the sandbox answered ${response.status}`);
        throw new AppError('service_unavailable', {}, { cause });
      }
      return (await response.json()) as Record<string, string>;
    },
  };
}
