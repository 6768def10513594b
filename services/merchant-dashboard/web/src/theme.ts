import { createTheme, type CSSVariablesResolver } from '@mantine/core';

const FONTS = 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** One accent colour, quiet surfaces. */
export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: { light: 9, dark: 9 },
  fontFamily: FONTS,
  headings: { fontFamily: FONTS, fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    // By default a `header`, which would be a second banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
  },
});

/** The pages of one task, before the login: their fields and buttons are large enough for a thumb. */
export const largeControls = createTheme({
  components: {
    Button: { defaultProps: { size: 'md' } },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
  },
});

/** Text and background colours of a state: every pair has a contrast of at least 4.5. */
const tones = (pairs: Record<string, readonly [text: string, ground: string]>) =>
  Object.fromEntries(
    Object.entries(pairs).flatMap(([tone, [text, ground]]) => [
      [`--gp-${tone}`, text],
      [`--gp-${tone}-ground`, ground],
    ]),
  );

/** Mantine's greys of secondary text are too light for our surfaces; these pass on all of them. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#56606a',
    '--mantine-color-placeholder': '#6b737b',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-anchor': '#0b6275',
    '--gp-surface': '#f6f8f9',
    '--gp-line': '#dde2e6',
    ...tones({
      neutral: ['#41484f', '#e9ecef'],
      info: ['#0b5566', '#d8f1f6'],
      good: ['#1b5e2a', '#dcf5e1'],
      warn: ['#7a4300', '#ffefcf'],
      bad: ['#a01c1c', '#ffe3e3'],
    }),
  },
  dark: {
    '--mantine-color-dimmed': '#adb1b6',
    '--mantine-color-placeholder': '#959aa0',
    '--mantine-color-error': '#ff9b9b',
    '--mantine-color-anchor': '#66d9e8',
    '--gp-surface': '#2b2b2b',
    '--gp-line': '#424242',
    ...tones({
      neutral: ['#d5d9dd', '#3a3d40'],
      info: ['#99e9f2', '#0d3a44'],
      good: ['#a3e6b1', '#16391e'],
      warn: ['#ffd98a', '#45310a'],
      bad: ['#ffb3b3', '#4a1b1b'],
    }),
  },
});
