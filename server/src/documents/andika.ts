import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);
const font = (file: string) => readFileSync(resolve(`@expo-google-fonts/andika/${file}`));

/** Andika, the typeface for new readers: each letter has a shape of its own. TrueType files for PDFs. */
export const loadAndika = () => ({ regular: font('Andika_400Regular.ttf'), bold: font('Andika_700Bold.ttf') });
