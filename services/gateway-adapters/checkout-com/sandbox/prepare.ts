import { ECDH } from 'node:crypto';
import type { HttpRequest } from '@gp/http';
import { type Account, Refused, type Reply, type Stage } from '@gp/psp-sandbox/kit';
import { findAppByRelayKey } from './account.ts';
import { dialect, problem } from './errors.ts';

const unknownApp = () =>
  problem(404, 'resource-not-found', 'Resource Not Found', 'There is no such app in this team.');

/** `GET /keys/{team}/apps/{app}`: returns the public keys with which a browser encrypts. */
export async function appKeys(stage: Stage, request: HttpRequest): Promise<Reply> {
  const { team = '', app = '' } = request.params;
  const account = await stage.accounts.findByPublicIds('gateway_b', { team_id: team, app_id: app });
  if (account === undefined) throw new Refused(unknownApp());
  const isDebugMode = request.headers['x-evervault-inputs-debug-mode'] === 'true';
  const subject = { gateway: 'gateway_b', account: account.account } as const;
  const call = {
    operation: 'prepare',
    subject,
    idempotent: undefined,
    dialect,
    signal: request.signal,
  } as const;
  return stage.playCall(call, (_desk, conduct) =>
    Promise.resolve(
      conduct.declines
        ? unknownApp()
        : { status: 200, body: buildKeysBody(account, isDebugMode), headers: FOR_ANY_ORIGIN, outcome: 'ok' },
    ),
  );
}

/** Any page that shows the card field may read the public keys. */
const FOR_ANY_ORIGIN = { 'Access-Control-Allow-Origin': '*' };

/** `GET /cages/key`: returns the same keys to a server that has the app's API key. */
export async function serverKeys({ accounts }: Stage, request: HttpRequest): Promise<Reply> {
  const key = request.headers['api-key'];
  const account = typeof key === 'string' ? await findAppByRelayKey(accounts, key) : undefined;
  if (account === undefined)
    throw new Refused(problem(401, 'unauthorized', 'Unauthorized', 'The API key is not valid.'));
  return { kind: 'answer', answer: { status: 200, body: buildKeysBody(account, false), outcome: 'ok' } };
}

function buildKeysBody({ publicIds }: Account, isDebugMode: boolean): Record<string, unknown> {
  const p256 = Buffer.from(publicIds['p256'] ?? '', 'base64');
  const uncompressed = ECDH.convertKey(p256, 'prime256v1', undefined, undefined, 'uncompressed') as Buffer;
  return {
    teamUuid: publicIds['team_id'],
    appUuid: publicIds['app_id'],
    key: publicIds['secp256k1'],
    ecdhKey: publicIds['secp256k1'],
    ecdhP256Key: publicIds['p256'],
    ecdhP256KeyUncompressed: uncompressed.toString('base64'),
    isDebugMode,
  };
}
