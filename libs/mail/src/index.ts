export {
  MAIL_LEASE_SECONDS,
  MAIL_PAUSES,
  RefusedMailError,
  UncertainMailError,
  type Deliver,
  type OutgoingMail,
} from './mail.ts';
export { describeFailure } from './describe-failure.ts';
export { isMailFolder, listMailFaults, mailConfig, type MailConfig } from './mail.config.ts';
export { openMailbox, type KeptMail, type Mailbox } from './mail-folder.ts';
export { openDelivery } from './open-delivery.ts';
export { escapeHtml, readsAsLink } from './text.ts';
