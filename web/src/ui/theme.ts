import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

/** Deep blue-green: what can be done. */
const lagoon: MantineColorsTuple = [
  '#eaf4f5',
  '#d3e7ea',
  '#a9d0d6',
  '#7dbac4',
  '#55a3af',
  '#338c9a',
  '#1f7786',
  '#146474',
  '#0c5160',
  '#073d49',
];
/** Warm coral: what wants attention. */
const coral: MantineColorsTuple = [
  '#fdf0ec',
  '#fadcd3',
  '#f4b5a4',
  '#ee8f77',
  '#e76f52',
  '#d95a3b',
  '#c84a2c',
  '#ae3d23',
  '#94321c',
  '#752614',
];
/** What deletes, and what went wrong. */
const brick: MantineColorsTuple = [
  '#fceeee',
  '#f6d5d4',
  '#eaa9a6',
  '#e08a86',
  '#d5625d',
  '#c94440',
  '#b8302d',
  '#a32522',
  '#8c1d1b',
  '#6c1513',
];
/** Paper by day. The fifth outlines fields: 3:1 against the surfaces, as its counterpart by night. */
const gray: MantineColorsTuple = [
  '#faf8f4',
  '#f3f0ea',
  '#e9e5dc',
  '#dcd7cc',
  '#8f8a7f',
  '#8d897f',
  '#5f6468',
  '#4a5054',
  '#333a3e',
  '#1f272b',
];
/** Paper by night: text first, then ever darker surfaces. */
const dark: MantineColorsTuple = [
  '#e8e6e1',
  '#c6cacb',
  '#a8b0b3',
  '#828d91',
  '#727e83',
  '#3a4448',
  '#242c30',
  '#161c1f',
  '#101517',
  '#0b0f10',
];

/** The size of buttons and fields unless one says another: targets of 44 px. */
const MEDIUM = { defaultProps: { size: 'md' } };

export const theme = createTheme({
  colors: { lagoon, coral, brick, gray, dark },
  primaryColor: 'lagoon',
  // Shade 8 keeps white text above 7:1 on paper; by night 7 stands out from the dark surfaces and keeps 6:1.
  primaryShade: { light: 8, dark: 7 },
  fontFamily: 'var(--font-screen)',
  headings: { fontFamily: 'var(--font-screen)', fontWeight: '650' },
  defaultRadius: 'md',
  spacing: {
    xs: 'var(--space-s)',
    sm: 'var(--space-m)',
    md: 'var(--space-l)',
    lg: 'var(--space-xl)',
    xl: 'var(--space-3xl)',
  },
  radius: { xs: '3px', sm: '5px', md: '8px', lg: '12px', xl: '20px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Checkbox: MEDIUM,
    // Decoration, which the library leaves to be announced as an image.
    ComboboxChevron: { defaultProps: { 'aria-hidden': true } },
    NativeSelect: MEDIUM,
    Radio: MEDIUM,
    RadioGroup: MEDIUM,
    TextInput: MEDIUM,
    Textarea: MEDIUM,
  },
});

/** Buttons without a ground: the library's own shade by night does not tell deleting from the rest. */
const TEXT_BUTTONS = {
  '--mantine-color-lagoon-light-color': 'var(--action)',
  '--mantine-color-brick-light-color': 'var(--danger)',
};

/** Mantine's colour roles, set to the tokens of `tokens.css` so that each colour is defined once. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--mantine-color-body': 'var(--paper)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-soft)',
    '--mantine-color-placeholder': 'var(--ink-soft)',
    '--mantine-color-anchor': 'var(--action)',
    '--mantine-color-error': 'var(--danger)',
    '--mantine-color-success': 'var(--success)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-border': 'var(--edge)',
    '--mantine-color-default-hover': 'var(--surface-hover)',
    // Quieter than what can be pressed: no ground of its own.
    '--mantine-color-disabled': 'transparent',
    '--mantine-color-disabled-color': 'var(--ink-soft)',
    '--mantine-color-disabled-border': 'var(--line)',
  },
  light: TEXT_BUTTONS,
  dark: TEXT_BUTTONS,
});
