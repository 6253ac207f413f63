import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** The only accent colour. Other colours are used only where they carry a meaning, such as a status. */
const ink: MantineColorsTuple = [
  '#eef2ff',
  '#dfe6fb',
  '#bccaf3',
  '#96adec',
  '#7693e5',
  '#5d7ee0',
  '#4466cf',
  '#3553b8',
  '#2c4699',
  '#22387c',
];

/** Greys with a hint of the same blue, from text to the darkest background. */
const dark: MantineColorsTuple = [
  '#d5d9e0',
  '#b9bfc9',
  '#949ba8',
  '#69717f',
  '#3a404b',
  '#2c3038',
  '#23272e',
  '#16181d',
  '#121419',
  '#0d0f13',
];

export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 6 },
  colors: { ink, dark },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    '"Inter", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  components: {
    Anchor: { defaultProps: { underline: 'always' } },
    PasswordInput: {
      defaultProps: {
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { 'aria-label': 'Show password' },
      },
    },
    // A list of options is put into the page when it is opened. Closed ones took a tenth of the time in which a page appears.
    Combobox: { defaultProps: { keepMounted: false } },
    // A menu has items only, and the first gets the focus.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { description: { color: 'var(--mantine-color-text)' } },
    },
    Modal: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: { fontWeight: 650 } },
    },
  },
  // Heavier than every label, which has 500 or 600.
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.3' } } },
});

/** The library's secondary text is too pale: WCAG 2.2 AA requires a contrast of 4.5 to 1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#545b64',
    '--mantine-color-placeholder': '#646b75',
    '--mantine-color-error': '#c92a2a',
    '--rollcall-surface': '#ffffff',
    '--rollcall-canvas': '#f8f9fb',
    '--rollcall-line': '#e4e7ec',
  },
  dark: {
    '--mantine-color-dimmed': '#a6adb8',
    '--mantine-color-placeholder': '#9aa1ac',
    '--mantine-color-error': '#ff8787',
    '--rollcall-surface': '#1b1e24',
    '--rollcall-canvas': '#16181d',
    '--rollcall-line': '#2c3038',
  },
});
