/** Plain spellings of letters that Unicode does not decompose. */
const PLAIN_LETTERS: Record<string, string> = {
  Ł: 'L',
  ł: 'l',
  Ø: 'O',
  ø: 'o',
  Đ: 'D',
  đ: 'd',
  ß: 'ss',
  Æ: 'AE',
  æ: 'ae',
  Œ: 'OE',
  œ: 'oe',
  Þ: 'Th',
  þ: 'th',
  ı: 'i',
  Ħ: 'H',
  ħ: 'h',
  Ð: 'D',
  ð: 'd',
  ẞ: 'SS',
  Ə: 'E',
  ə: 'e',
  Ŋ: 'N',
  ŋ: 'n',
};

/** Removes accents: `Łukasz Nguyễn` gives `Lukasz Nguyen`. */
export const stripAccents = (marked: string): string =>
  marked
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{ASCII}]/gu, (letter) => PLAIN_LETTERS[letter] ?? letter);
