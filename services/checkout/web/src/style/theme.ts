import { accentProperties } from '@gp/primitives';

/** Sets a merchant's colour through the object model, which a policy without inline styles allows. */
export const applyAccent = (color: string | null): void => setProperties(accentProperties(color));

/** Sets properties of CSS on the root element through the object model. */
export function setProperties(properties: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(properties))
    document.documentElement.style.setProperty(name, value);
}
