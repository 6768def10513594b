/** The first person with a key: from the settings, as no administrator could have added it. */
export type FirstOperator = { readonly name: string; readonly key: string };

/** Splits `name:key`, whose form was checked, into its parts; a name has no colon. */
export function parseFirstOperator(setting: string): FirstOperator {
  const at = setting.indexOf(':');
  return { name: setting.slice(0, at), key: setting.slice(at + 1) };
}
