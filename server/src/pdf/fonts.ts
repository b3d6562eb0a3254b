import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Andika, a typeface for children who are learning to read: no two letters look alike. TrueType files for PDFs. */
export const loadAndika = () => ({
  regular: readFileSync(require.resolve('@expo-google-fonts/andika/Andika_400Regular.ttf')),
  bold: readFileSync(require.resolve('@expo-google-fonts/andika/Andika_700Bold.ttf')),
});
