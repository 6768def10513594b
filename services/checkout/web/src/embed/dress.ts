import { buildPalette, findScheme, MARKS, TINTS, type BaseColors } from '../style/palette.ts';
import { applyAccent, setProperties } from '../style/theme.ts';
import type { FormLook } from './look.ts';

/**
 * Gives the frame the look that its page wishes, and the accent of the page or the merchant. May be called again when the accent
 * is known. A background decides by itself whether texts are dark or light.
 */
export function dressForm(look: FormLook, accent: string | null): void {
  const { background, font, radiusPx } = look;
  const { documentElement: root } = document;
  const scheme = background ? findScheme(background) : look.scheme;
  if (scheme) root.dataset['scheme'] = scheme;
  applyAccent(accent);
  setProperties({
    ...(font !== undefined && { '--font': font }),
    ...(radiusPx !== undefined && roundCorners(radiusPx)),
  });
  if (background) setProperties(buildPalette(background, readColors(root)));
}

function roundCorners(px: number): Record<string, string> {
  const names = ['--round', '--round-field', '--round-button'];
  return Object.fromEntries(names.map((name) => [name, `${px}px`]));
}

/** Returns the colours of the sheet: those that this page was given before do not count. */
function readColors(root: HTMLElement): BaseColors {
  const names = [...MARKS, ...TINTS];
  for (const name of names) root.style.removeProperty(`--${name}`);
  const style = getComputedStyle(root);
  const colors = names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]);
  return Object.fromEntries(colors) as BaseColors;
}
