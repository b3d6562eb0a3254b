/**
 * The number that a text stands for, with at most `decimals` places. Commas may separate thousands, and a pound sign may
 * precede it. Returns any other text as it is, and an empty one for blanks.
 */
export function parseNumber(text: string, decimals: number): number | string {
  const trimmed = text.trim().replace(/^£\s*/, '');
  const match = /^-?(?:\d*|\d{1,3}(?:,\d{3})+)(?:\.(\d*))?$/.exec(trimmed);
  const isNumber = match && /\d/.test(trimmed) && (match[1] ?? '').length <= decimals;
  if (isNumber) return Number(trimmed.replaceAll(',', ''));
  return text.trim() && text;
}
