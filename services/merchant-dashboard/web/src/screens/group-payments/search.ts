/** The filters of the list: those of the API, and a text that is searched for. */
export const FILTERS = ['state', 'created_after', 'created_before', 'search'] as const;

/** The longest text that is searched for: an e-mail address has up to 320 characters. */
export const LONGEST_SEARCH = 320;
