import type { StemOf } from '../translate.ts';

/** The sentences of the organiser's page that the payers' page does not have. `{…}` is filled in. */
const messages = {
  eyebrow: 'You organise this bill',
  keepLink: 'This page is for you alone: send the others the link below, not the address of this page.',
  busyNow: 'Somebody is paying now',
  heldNow: 'In: held',
  remind_one: 'Remind {n} person by mail',
  remind_other: 'Remind {n} people by mail',
  remindHint: 'The mail goes to those who have begun to pay and have not finished.',
  reminded_one: '{n} person gets a mail.',
  reminded_other: '{n} people get a mail.',
  remindedNone: 'Everyone has had a mail a short time ago.',
  extendTitle: 'More time',
  addHour: '1 hour more',
  addDay: '1 day more',
  addLatest: 'Until {date}',
  extended: 'The bill is now open until {date}.',
  cannotExtend: 'The time cannot be extended any more.',
  payRest: 'Pay what is left: {amount}',
  cancel: 'Call it off',
  cancelTitle: 'Call this bill off?',
  cancelText: 'Every hold is released and nobody is charged. This cannot be undone.',
  cancelYes: 'Yes, call it off',
  cancelNo: 'No, keep it open',
  failed: 'That did not work. Please try again.',
  over: 'That is not possible any more.',
  tooMany: 'Too many requests. Please wait a minute.',
  noScript: 'Acting here needs JavaScript and a current browser. Please check both and reload the page.',
};
export type OrganiserKey = keyof typeof messages;
export type OrganiserMessages = Readonly<Record<OrganiserKey, string>> & {
  readonly [form in `${StemOf<OrganiserKey>}_${Intl.LDMLPluralRule}`]?: string;
};
export default messages satisfies OrganiserMessages;
