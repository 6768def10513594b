/** GET /api/support-contact?mode= and PUT /api/support-contact {mode, support_email, support_url} → SupportContact */
export type SupportContact = {
  /** Where payers may write to with questions; null for nowhere. */
  readonly support_email: string | null;
  /** The page on which payers find help, of `https:`; null for none. */
  readonly support_url: string | null;
};
