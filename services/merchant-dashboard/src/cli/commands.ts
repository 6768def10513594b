import type { Mode, Operator, OperatorRole } from '@gp/contracts';
import { createApiKey, revokeApiKey } from '../app/settings/api-keys.ts';
import { createMerchant } from '../app/account/create-merchant.ts';
import {
  activateGateway,
  connectGateway,
  disconnectGateway,
  verifyGateway,
} from '../app/settings/gateways.ts';
import { revokeGroupSessions } from '../app/payments/group-sessions.ts';
import {
  readConnection,
  readGateway,
  readMode,
  readNewKey,
  readNewMerchant,
  readBranding,
  readLogoChange,
  readOrganiserRights,
  readOrigins,
  readPayerMails,
} from '../app/input/input.ts';
import { findBrand, setBrandColor } from '../app/settings/branding.ts';
import { setLogo } from '../app/settings/logo.ts';
import { findOrganiserRights, setOrganiserRights } from '../app/settings/organiser-rights.ts';
import { findPayerMails, setPayerMails } from '../app/settings/payer-mails.ts';
import { setOrigins } from '../app/settings/origins.ts';
import { describeMember, requireMerchant } from '../app/account/members.ts';
import { listGateways, listKeys, listOrigins } from '../app/settings/list-settings.ts';
import type { Actor, DashboardParts } from '../app/ports.ts';
import { findMember } from '../app/account/sessions.ts';
import { gatewayView, keyView, listedKeyView } from '../http/settings/views.ts';
import type { OptionName } from './options.ts';
import { parseJson, parsePassword, parseUuid } from './values.ts';

export type Given = Readonly<Record<string, string>>;

/** The parts of a command: the operator is the person whose signature the ledger has verified. */
export type CommandParts = DashboardParts & { readonly operator: Operator };

/** One verb: its description, its options (all required), what it reads from standard input, the role it needs, and its action. */
export type Command = {
  readonly does: string;
  readonly options: readonly OptionName[];
  readonly input?: string;
  readonly needs: OperatorRole;
  readonly run: (parts: CommandParts, given: Given, input: string) => Promise<unknown>;
};

/** Returns the actor for the named merchant, which must exist. */
async function findOperator({ db, operator }: CommandParts, given: Given): Promise<Actor> {
  const { id: merchantId } = await requireMerchant(db, parseUuid(given['merchant'], 'merchant'));
  return { merchantId, name: `operator:${operator.name}`, operatorKey: operator.key };
}

function pickGateway({ mode, psp: psp_code }: Given) {
  const read = readGateway({ mode, psp_code });
  return { mode: read.mode, pspCode: read.psp_code };
}

/** A verb that reads a setting of a merchant's mode. */
const reading = (
  does: string,
  read: (db: CommandParts['db'], merchantId: string, mode: Mode) => Promise<unknown>,
): Command => ({
  does,
  options: ['merchant', 'mode'],
  needs: 'read',
  async run(parts, given) {
    const { mode } = readMode({ mode: given['mode'] });
    const { merchantId } = await findOperator(parts, given);
    return read(parts.db, merchantId, mode);
  },
});

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
  origins: reading('the origins of pages that may use the public interface for payers', async (...owner) => ({
    origins: await listOrigins(...owner),
  })),
  'set-origins': {
    does: 'replaces the origins of pages that may use the public interface for payers',
    options: ['merchant', 'mode'],
    needs: 'act',
    input: 'the origins as a JSON array',
    async run(parts, given, input) {
      const entered = readOrigins({ mode: given['mode'], origins: parseJson(input, 'origins') });
      return { origins: await setOrigins(parts)(await findOperator(parts, given), entered) };
    },
  },
  branding: reading('the colour of the checkout page and of widgets', findBrand),
  'set-branding': {
    does: 'sets the colour of the checkout page and of widgets; null is the platform’s own',
    options: ['merchant', 'mode'],
    needs: 'act',
    input: 'the colour in JSON, such as "#1f5f8b", or null',
    async run(parts, given, input) {
      const entered = readBranding({ mode: given['mode'], brand_color: parseJson(input, 'brand_color') });
      return { brand_color: await setBrandColor(parts)(await findOperator(parts, given), entered) };
    },
  },
  'set-logo': {
    does: 'sets the logo of the checkout page and of widgets; null removes it',
    options: ['merchant', 'mode'],
    needs: 'act',
    input: 'the picture in JSON, {"media_type": "image/png", "content": its bytes in base64}, or null',
    async run(parts, given, input) {
      const entered = readLogoChange({ mode: given['mode'], logo: parseJson(input, 'logo') });
      return { logo: await setLogo(parts)(await findOperator(parts, given), entered) };
    },
  },
  'payer-mails': reading('whether payers get mails about their payments', async (...owner) => ({
    payer_mails: await findPayerMails(...owner),
  })),
  'set-payer-mails': {
    does: 'sets whether payers get mails about their payments',
    options: ['merchant', 'mode'],
    needs: 'act',
    input: 'true or false',
    async run(parts, given, input) {
      const entered = readPayerMails({ mode: given['mode'], payer_mails: parseJson(input, 'payer_mails') });
      await setPayerMails(parts)(await findOperator(parts, given), entered);
      return { payer_mails: entered.payer_mails };
    },
  },
  'organiser-rights': reading(
    'what organisers may do of payments created without organiser',
    async (...owner) => ({
      organiser_rights: await findOrganiserRights(...owner),
    }),
  ),
  'set-organiser-rights': {
    does: 'sets what organisers may do of payments created without organiser; none is no organiser',
    options: ['merchant', 'mode'],
    needs: 'act',
    input: 'the rights as a JSON array of "remind", "extend" and "cancel"',
    async run(parts, given, input) {
      const organiser_rights = parseJson(input, 'organiser_rights');
      const entered = readOrganiserRights({ mode: given['mode'], organiser_rights });
      await setOrganiserRights(parts)(await findOperator(parts, given), entered);
      return { organiser_rights: entered.organiser_rights };
    },
  },
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
