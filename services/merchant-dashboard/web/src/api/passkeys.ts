import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { LoggedIn } from '../../../src/http/api.ts';
import { PasskeyFault } from './failure.ts';
import { send } from './send.ts';

/** Loaded with the first use: most visits, the first one above all, use no passkey. */
const loadLibrary = () => import('@simplewebauthn/browser');

/** Adds a passkey of one of the user's devices; rejects with PasskeyFault when the user or the device refuses. */
export async function addPasskey(name: string): Promise<void> {
  const at = '/api/profile/passkeys';
  const optionsJSON = await send<PublicKeyCredentialCreationOptionsJSON>(`${at}/options`, {
    method: 'POST',
    body: {},
  });
  assertHost(optionsJSON.rp.id);
  const { startRegistration } = await loadLibrary();
  const response = await startRegistration({ optionsJSON }).catch(refuse);
  await send(at, { method: 'POST', body: { name, response } });
}

/** Logs in with a passkey of any user; rejects with PasskeyFault when the user or the device refuses. */
export const logInByPasskey = (): Promise<LoggedIn> => answerByPasskey<LoggedIn>('/api/login/passkey');

/** Proves the user's identity again with a passkey; rejects with PasskeyFault when the user or the device refuses. */
export async function proveByPasskey(): Promise<void> {
  await answerByPasskey('/api/reauthenticate/passkey');
}

/** Has a device sign the challenge of this route, and sends its answer there. */
async function answerByPasskey<T>(at: string): Promise<T> {
  const optionsJSON = await send<PublicKeyCredentialRequestOptionsJSON>(`${at}/options`, {
    method: 'POST',
    body: {},
  });
  assertHost(optionsJSON.rpId);
  const { startAuthentication } = await loadLibrary();
  const response = await startAuthentication({ optionsJSON }).catch(refuse);
  return send<T>(at, { method: 'POST', body: { response } });
}

/** Browsers use passkeys at their own host name only, which a loopback address is not. */
function assertHost(host: string | undefined): void {
  const { hostname, port } = window.location;
  if (host === undefined || host === hostname) return;
  throw new PasskeyFault(`Passkeys work at ${host}${port && `:${port}`} only: open the dashboard there.`);
}

function refuse(cause: unknown): never {
  const isKnown = cause instanceof Error && cause.name === 'InvalidStateError';
  throw new PasskeyFault(
    isKnown ? 'This device has a passkey for your account already.' : 'No passkey was used. Try again.',
    cause,
  );
}
