/** The filters of the list, and a text that is searched for. */
export const FILTERS = ['state', 'disputed', 'created_after', 'created_before', 'search'] as const;

/** The longest text that is searched for: an e-mail address has up to 320 characters. */
export const LONGEST_SEARCH = 320;
