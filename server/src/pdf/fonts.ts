import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Andika, the typeface for children who learn to read: each letter has a shape of its own. TrueType files for PDFs. */
export const loadAndika = () => ({
  regular: readFileSync(require.resolve('@expo-google-fonts/andika/Andika_400Regular.ttf')),
  bold: readFileSync(require.resolve('@expo-google-fonts/andika/Andika_700Bold.ttf')),
});
