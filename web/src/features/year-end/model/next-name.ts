/** The last year of a primary school: its pupils leave. */
const LAST = 6;

/** A year group in the name of a class: where its words stand, and which it is (Reception is 0, Nursery -1). */
function findYear(name: string): { text: string; year: number } | null {
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

/** The name that a class of the next year group has: `Year 3 Wrens` becomes `Year 4 Wrens`, `RB` `1B`. Null where the name does not say. */
export function nextName(name: string): string | null {
  const found = findYear(name);
  if (!found) return null;
  const { text, year } = found;
  const next =
    year === -1 ? 'Reception' : year === 0 ? (text.length > 1 ? 'Year 1' : '1') : text.replace(/\d+/, String(year + 1));
  return name.replace(text, next);
}

/** Whether the class is of the last year. */
export const isLastYear = (name: string): boolean => (findYear(name)?.year ?? -1) >= LAST;
