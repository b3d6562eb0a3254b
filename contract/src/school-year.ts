/** Finds a year group in the name of a class: its text, and its number (Reception is 0, Nursery -1). */
export function findYear(name: string): { text: string; year: number } | null {
  const words = /\b(nursery|reception|year ?\d{1,2}|yr ?\d{1,2}|y ?\d{1,2})\b/i.exec(name)?.[0];
  if (words) {
    if (/nursery/i.test(words)) return { text: words, year: -1 };
    if (/reception/i.test(words)) return { text: words, year: 0 };
    return { text: words, year: Number(/\d+/.exec(words)?.[0]) };
  }
  const short = /^\s*(\d)(?=\s?[a-z]?\b|[A-Z])/i.exec(name)?.[1];
  if (short) return { text: short, year: Number(short) };
  const letter = /^\s*(R)(?=\s|[A-Z]?$)/.exec(name)?.[1];
  return letter ? { text: letter, year: 0 } : null;
}

/** A year group in words: `Year 3`, `Reception`. */
export const yearText = (year: number): string => (year === -1 ? 'Nursery' : year === 0 ? 'Reception' : `Year ${year}`);
