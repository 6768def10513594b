export {
  MAIL_LEASE_SECONDS,
  MAIL_PAUSES,
  RefusedMailError,
  UncertainMailError,
  type Deliver,
  type OutgoingMail,
} from './mail.ts';
export { describeFailure } from './describe-failure.ts';
export { listMailFaults, mailConfig, toSmtpSettings, type MailConfig } from './mail.config.ts';
export { openSmtp, type SmtpSettings } from './smtp.ts';
export { escapeHtml, readsAsLink } from './text.ts';
