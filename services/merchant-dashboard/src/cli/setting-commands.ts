import {
  readBranding,
  readLogoChange,
  readOrganiserRights,
  readOrigins,
  readPayerMails,
  readSupportContact,
} from '../app/input/input.ts';
import { findBrand, setBrandColor } from '../app/settings/branding.ts';
import { listOrigins } from '../app/settings/list-settings.ts';
import { setLogo } from '../app/settings/logo.ts';
import { findOrganiserRights, setOrganiserRights } from '../app/settings/organiser-rights.ts';
import { setOrigins } from '../app/settings/origins.ts';
import { findPayerMails, setPayerMails } from '../app/settings/payer-mails.ts';
import { findSupportContact, setSupportContact } from '../app/settings/support-contact.ts';
import { findOperator, reading, type Command } from './command.ts';
import { parseJson } from './values.ts';

/** The commands on what a merchant chooses once for a mode. */
export const settingCommands: Readonly<Record<string, Command>> = {
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
  'support-contact': reading('whom payers may ask', findSupportContact),
  'set-support-contact': {
    does: 'sets whom payers may ask: an e-mail address, a page, or both; null is nobody',
    options: ['merchant', 'mode'],
    needs: 'act',
    input:
      'the contact in JSON, such as {"support_email": "hello@shop.example", "support_url": "https://shop.example/help"}',
    async run(parts, given, input) {
      const contact = parseJson(input, 'contact');
      const entered = readSupportContact({ ...(contact as object), mode: given['mode'] });
      return setSupportContact(parts)(await findOperator(parts, given), entered);
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
};
