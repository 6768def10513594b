import { createApiKey, revokeApiKey } from '../app/settings/api-keys.ts';
import { createMerchant } from '../app/account/create-merchant.ts';
import {
  activateGateway,
  connectGateway,
  disconnectGateway,
  verifyGateway,
} from '../app/settings/gateways.ts';
import { revokeGroupSessions } from '../app/payments/group-sessions.ts';
import { readConnection, readGateway, readMode, readNewKey, readNewMerchant } from '../app/input/input.ts';
import { describeMember } from '../app/account/members.ts';
import { listGateways, listKeys } from '../app/settings/list-settings.ts';
import { findMember } from '../app/account/sessions.ts';
import { gatewayView, keyView, listedKeyView } from '../http/settings/views.ts';
import { findOperator, type Command, type Given } from './command.ts';
import { settingCommands } from './setting-commands.ts';
import { parseJson, parsePassword, parseUuid } from './values.ts';

function pickGateway({ mode, psp: psp_code }: Given) {
  const read = readGateway({ mode, psp_code });
  return { mode: read.mode, pspCode: read.psp_code };
}

const AT_GATEWAY = ['merchant', 'mode', 'psp'] as const;

export const commands: Readonly<Record<string, Command>> = {
  create: {
    does: 'creates a merchant with its owner, who logs in with this address and the password',
    options: ['name', 'email'],
    needs: 'act',
    input: 'the password',
    async run(parts, { name, email }, input) {
      const entered = { merchant_name: name, email, password: parsePassword(input) };
      const { merchantId, userId } = await createMerchant(parts)(readNewMerchant(entered));
      return { merchant_id: merchantId, user_id: userId };
    },
  },
  find: {
    does: 'the merchant and the role of the user with an e-mail address',
    options: ['email'],
    needs: 'read',
    run: async ({ db }, { email = '' }) => describeMember(db, await findMember(db, email)),
  },
  key: {
    does: 'creates a secret API key and prints it once',
    options: ['merchant', 'mode', 'name'],
    needs: 'act',
    async run(parts, given) {
      const { mode, name } = readNewKey({ mode: given['mode'], name: given['name'] });
      const { row, key } = await createApiKey(parts)(await findOperator(parts, given), { mode, name });
      return { ...keyView(row), key };
    },
  },
  keys: {
    does: 'the API keys of a mode, without their text, and where browsers sent one',
    options: ['merchant', 'mode'],
    needs: 'read',
    async run(parts, given) {
      const { mode } = readMode({ mode: given['mode'] });
      const { merchantId } = await findOperator(parts, given);
      return { keys: (await listKeys(parts.db, merchantId, mode)).map(listedKeyView) };
    },
  },
  'revoke-key': {
    does: 'ends an API key; the API refuses it within a second',
    options: ['merchant', 'key'],
    needs: 'act',
    async run(parts, given) {
      const keyId = parseUuid(given['key'], 'API key');
      return keyView(await revokeApiKey(parts)(await findOperator(parts, given), keyId));
    },
  },
  ...settingCommands,
  'revoke-sessions': {
    does: 'ends the tokens of all payers of a group payment',
    options: ['merchant', 'mode', 'group'],
    needs: 'act',
    async run(parts, given) {
      const { mode } = readMode({ mode: given['mode'] });
      const groupId = parseUuid(given['group'], 'group payment');
      return revokeGroupSessions(parts)(await findOperator(parts, given), { mode, groupId });
    },
  },
  connect: {
    does: 'connects an account at a gateway, or replaces its credentials',
    options: AT_GATEWAY,
    needs: 'act',
    input: 'the credentials as a JSON object',
    async run(parts, given, input) {
      const entered = { mode: given['mode'], psp_code: given['psp'], credentials: parseJson(input) };
      const { credentials } = readConnection(entered);
      const actor = await findOperator(parts, given);
      return gatewayView(await connectGateway(parts)(actor, { ...pickGateway(given), credentials }));
    },
  },
  verify: {
    does: 'has the gateway asked whether it accepts the stored credentials',
    options: AT_GATEWAY,
    needs: 'act',
    run: async (parts, given) => verifyGateway(parts)(await findOperator(parts, given), pickGateway(given)),
  },
  activate: {
    does: 'has new payments made at this gateway',
    options: AT_GATEWAY,
    needs: 'act',
    run: async (parts, given) =>
      gatewayView(await activateGateway(parts)(await findOperator(parts, given), pickGateway(given))),
  },
  disconnect: {
    does: 'ends the connection with a gateway',
    options: AT_GATEWAY,
    needs: 'act',
    async run(parts, given) {
      await disconnectGateway(parts)(await findOperator(parts, given), pickGateway(given));
      return { disconnected: true };
    },
  },
  gateways: {
    does: 'the connected gateways of a mode, without their credentials',
    options: ['merchant', 'mode'],
    needs: 'read',
    async run(parts, given) {
      const { mode } = readMode({ mode: given['mode'] });
      const { merchantId } = await findOperator(parts, given);
      return { gateways: (await listGateways(parts.db, merchantId, mode)).map(gatewayView) };
    },
  },
};
