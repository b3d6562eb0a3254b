/** Text for comparing: without accents, in lower case, with straight apostrophes. */
export const foldText = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('’', "'")
    .toLowerCase();
