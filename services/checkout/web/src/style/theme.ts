import { accentProperties } from '@gp/primitives';

/** Sets a merchant's colour through the object model, which a policy without inline styles allows. */
export function applyAccent(color: string | null): void {
  for (const [name, value] of Object.entries(accentProperties(color)))
    document.documentElement.style.setProperty(name, value);
}
