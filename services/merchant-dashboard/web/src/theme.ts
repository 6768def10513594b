import { createTheme, type CSSVariablesResolver } from '@mantine/core';

const FONTS = 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** One accent, quiet surfaces. Shades are chosen for a contrast of 4.5 against white and against the dark body. */
export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: { light: 9, dark: 8 },
  fontFamily: FONTS,
  headings: { fontFamily: FONTS, fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
});

/** Mantine's grey of secondary text is 4.2 on its light surfaces; this one passes on all of ours. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5a626b',
    '--mantine-color-placeholder': '#6b737b',
    '--mantine-color-error': '#c92a2a',
    '--gp-surface': '#f8f9fa',
  },
  dark: {
    '--mantine-color-dimmed': '#a6a7ab',
    '--mantine-color-placeholder': '#909296',
    '--mantine-color-error': '#ff8787',
    '--gp-surface': '#2a2a2a',
  },
});
