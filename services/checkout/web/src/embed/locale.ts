const findLanguage = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? '';

/**
 * Returns the warning for a merchant whose page wishes a locale that the form does not have; undefined when the form
 * is `shown` in its language.
 */
export function warnOfLocale(wished: string | null, shown: string): string | undefined {
  if (wished === null || findLanguage(wished) === findLanguage(shown)) return undefined;
  return `ServiceGroupPay: the form has no locale "${wished}", so it is shown in "${shown}"`;
}
