/** GET /api/payer-mails?mode= and PUT /api/payer-mails {mode, payer_mails} → PayerMails */
export type PayerMails = {
  readonly payer_mails: boolean;
  /** Whether this installation has a mail server; without one payers get no mail, whatever the setting says. */
  readonly is_available: boolean;
};
