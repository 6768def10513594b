/** GET /api/payer-mails?mode= and PUT /api/payer-mails {mode, payer_mails} → PayerMails */
export type PayerMails = {
  readonly payer_mails: boolean;
  /** Whether this installation mails payers of the mode; without a mail server they get no mail, whatever the setting says. */
  readonly is_available: boolean;
};
