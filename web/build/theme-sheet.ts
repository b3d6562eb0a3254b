import { join } from 'node:path';
import type { Plugin } from 'vite';

const SHEET = 'virtual:theme.css';

/**
 * Provides `virtual:theme.css`: Mantine's variables with the values of our theme, which Mantine would otherwise write
 * into each page. It replaces `default-css-variables.css`, without the colours that the theme does not use.
 */
export function themeSheet(): Plugin {
  let file = '';
  return {
    name: 'theme-sheet',
    configResolved({ root }) {
      file = join(root, 'src/ui/theme.ts');
    },
    resolveId: (source) => (source === SHEET ? `\0${SHEET}` : null),
    async load(id) {
      if (id !== `\0${SHEET}`) return null;
      this.addWatchFile(file);
      return sheetOfTheme();
    },
  };
}

/** Mantine's values in the layer of its styles, overridden by those of `cssVariables` in every colour scheme. */
export async function sheetOfTheme(): Promise<string> {
  const { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } =
    await import('@mantine/core');
  const { cssVariables, theme } = await import('../src/ui/theme.ts');
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const named = { ...merged, colors: theme.colors as typeof merged.colors };
  return `@layer mantine {${convertCssVariables(defaultCssVariablesResolver(named))}}\n${convertCssVariables(cssVariables(merged))}`;
}
