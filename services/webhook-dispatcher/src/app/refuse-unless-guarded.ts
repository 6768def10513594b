import type { Logger } from '@gp/telemetry';
import type { AddressPolicy } from '../outbound/address.ts';
import { proveGuard } from '../outbound/prove-guard.ts';

/** The exit code of a configuration that must not run; see sysexits(3), EX_CONFIG. */
const UNSAFE = 78;

/** Ends the process unless the address guard was just seen to bite: without it a merchant could reach inside. */
export async function refuseUnlessGuarded(policy: AddressPolicy, log: Logger): Promise<void> {
  try {
    await proveGuard(policy);
  } catch (err) {
    log.fatal({ err }, 'refusing to start: requests are not kept from internal addresses');
    await log.close();
    process.exit(UNSAFE);
  }
}
