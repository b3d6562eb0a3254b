import { stripAccents } from './strip-accents.ts';

/** Shortest password allowed. */
export const SHORTEST_PASSWORD = 7;

/** Shorter parts of names, such as "Ann" and "the", are in too many other words. */
const SHORTEST_PART = 4;

/** Without what people vary in a name: case, accents and apostrophes. */
const fold = (text: string): string =>
  stripAccents(text.normalize('NFKC'))
    .replace(/['‘’ʼ´`]/g, '')
    .toLowerCase();

/** Each name and each of its words, the longest first: "Mill Lane" gives "milllane", "mill" and "lane". */
function listParts(names: readonly string[]): string[] {
  const parts = names.flatMap((name) => {
    const words = fold(name).split(/[^\p{L}]+/u);
    return [words.join(''), ...words];
  });
  return parts.filter(({ length }) => length >= SHORTEST_PART).sort((left, right) => right.length - left.length);
}

/**
 * The part of a password that an attacker who knows these names has to guess: without the parts of the names, and without
 * what is before and after it. Undefined if the password contains none of them.
 */
export function removeNames(password: string, names: readonly string[]): string | undefined {
  const parts = listParts(names);
  const folded = fold(password);
  let remainder = folded;
  // What is left on both sides of a name can form it again.
  for (
    let found = parts.find((part) => remainder.includes(part));
    found;
    found = parts.find((part) => remainder.includes(part))
  )
    remainder = remainder.replaceAll(found, '');
  return remainder === folded ? undefined : remainder.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}

/**
 * True when a password is made of these names: without them it would be too short to be one. A long phrase may contain a
 * name, because its other words have to be guessed.
 */
export const isMadeOfNames = (password: string, names: readonly string[]): boolean =>
  (removeNames(password, names)?.length ?? SHORTEST_PASSWORD) < SHORTEST_PASSWORD;
