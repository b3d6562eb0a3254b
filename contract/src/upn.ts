/** The letters of a UPN by their value: without I, O and S. */
const LETTERS = 'ABCDEFGHJKLMNPQRTUVWXYZ';
const UPN = new RegExp(`^[${LETTERS}][0-9]{11}[0-9${LETTERS}]$`);

/**
 * Returns whether a text is a unique pupil number: a check letter, then 12 digits, of which the last is a letter in a
 * temporary number. The values of the digits have the weights 2 to 13; their sum modulo 23 is the check letter
 * (Government Data Standards Catalogue).
 */
export function isUpn(text: string): boolean {
  if (!UPN.test(text)) return false;
  const sum = text
    .slice(1)
    .split('')
    .reduce((total, character, index) => {
      const letter = LETTERS.indexOf(character);
      return total + (letter < 0 ? Number(character) : letter) * (index + 2);
    }, 0);
  return text[0] === LETTERS[sum % LETTERS.length];
}
