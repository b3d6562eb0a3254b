import { AppError } from '../errors.ts';

/** Maximum nesting of lists and objects in a body; the deepest call uses four. */
const MAX_DEPTH = 32;

/** An escaped backslash, a whole surrogate pair, or half of one. */
const ESCAPES = /\\(?:\\|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[dD][89a-fA-F][\da-fA-F]{2})/g;
const HALF_PAIR = 6;

const [QUOTE, BACKSLASH] = ['"', '\\'].map((character) => character.charCodeAt(0));
const OPENING = ['[', '{'].map((character) => character.charCodeAt(0));
const CLOSING = [']', '}'].map((character) => character.charCodeAt(0));

/**
 * Returns whether lists and objects are nested deeper than `MAX_DEPTH`, which would overflow the stack of recursive
 * code.
 */
function isTooDeep(json: string): boolean {
  let depth = 0;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) {
      do {
        index += json.charCodeAt(index) === BACKSLASH ? 2 : 1;
      } while (index < json.length && json.charCodeAt(index) !== QUOTE);
    } else if (OPENING.includes(code)) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (CLOSING.includes(code)) depth -= 1;
  }
  return false;
}

/**
 * Parses the body of a request. Half of a surrogate pair, which databases cannot store, becomes U+FFFD, as invalid
 * UTF-8 does. Throws `malformed_body`, also for too much nesting.
 */
export function readJson(json: string): unknown {
  if (isTooDeep(json)) throw new AppError('malformed_body');
  const whole = json.replace(ESCAPES, (escape) => (escape.length === HALF_PAIR ? '\\ufffd' : escape));
  try {
    return JSON.parse(whole);
  } catch {
    throw new AppError('malformed_body');
  }
}
