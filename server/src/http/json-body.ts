import { AppError } from './errors.ts';

/** Lists and objects within each other that a body may have; the deepest call takes four. */
const DEEPEST = 32;

/** An escaped backslash, a whole surrogate pair, or half of one. */
const ESCAPES = /\\(?:\\|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[dD][89a-fA-F][\da-fA-F]{2})/g;
const HALF_PAIR = 6;

const [QUOTE, BACKSLASH] = ['"', '\\'].map((character) => character.charCodeAt(0));
const OPENING = ['[', '{'].map((character) => character.charCodeAt(0));
const CLOSING = [']', '}'].map((character) => character.charCodeAt(0));

/** True where lists and objects lie deeper in each other than `DEEPEST`: what follows a value by calling itself would fail. */
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
      if (depth > DEEPEST) return true;
    } else if (CLOSING.includes(code)) depth -= 1;
  }
  return false;
}

/**
 * Reads the body of a request. Half of a surrogate pair, which no database holds, becomes U+FFFD, as it does where
 * bytes are no UTF-8. Throws `malformed_body`, also for what is nested too deeply.
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
