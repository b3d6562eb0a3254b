import { z } from 'zod';

const WRONG_ADDRESS = 'Enter an email address such as name@school.sch.uk.';
const MAX_ADDRESS_LENGTH = 254;

/** Signs that programs put in the place of `'`. */
const APOSTROPHES = /[\u2018\u2019\u201b\u02bc\u00b4\u2032\uff07]/g;
/** Characters without a shape, which are copied with an address. */
const INVISIBLE = /[\p{Cf}\p{Cc}]+/gu;
const QUOTES = /^"(.*)"$|^'(.*)'$|^\u201c(.*)\u201d$/s;
/** What a sentence or a list leaves at the end of an address. */
const AT_THE_END = '.,;:>)';
const AT_THE_START = '<(';

/** What was typed or pasted, without what programs put around an address. */
function unwrap(typed: string): string {
  let plain = typed
    .replace(/[\p{Zs}\s]+/gu, ' ')
    .replace(INVISIBLE, '')
    .replace(APOSTROPHES, "'")
    .replace(/\uff20/g, '@');
  const open = plain.indexOf('<');
  // `Name <address>`, unless there are several.
  if (
    open !== -1 &&
    open === plain.lastIndexOf('<') &&
    plain.includes('@', open) &&
    !plain.slice(0, open).includes('@')
  )
    plain = plain.slice(open + 1);
  plain = trimSigns(plain);
  const [, double, single, curly] = QUOTES.exec(plain) ?? [];
  plain = trimSigns(double ?? single ?? curly ?? plain);
  if (!/^mailto:/i.test(plain)) return plain;
  return trimSigns(plain.slice('mailto:'.length).split('?', 1)[0] ?? '');
}

function trimSigns(line: string): string {
  let [start, end] = [0, line.length];
  while (start < end && (line[start] === ' ' || AT_THE_START.includes(line.charAt(start)))) start += 1;
  while (end > start && (line[end - 1] === ' ' || AT_THE_END.includes(line.charAt(end - 1)))) end -= 1;
  return line.slice(start, end);
}

const NUMBERS = ['', '', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** Browsers and Node.js have it; the contract is checked without the types of either. */
const { URL: ParsedUrl } = globalThis as unknown as {
  URL: { canParse(text: string): boolean; new (text: string): { hostname: string } };
};

/** A domain in the letters that mail servers understand: `xn--…`. */
const inAscii = (domain: string): string =>
  ParsedUrl.canParse(`https://${domain}`) ? new ParsedUrl(`https://${domain}`).hostname : 'xn--…';

/** What is wrong with an address, as an instruction. */
function describeFault(address: string): string {
  const several = address.split(/[\s,;<>]+/).filter((part) => /.@./.test(part)).length;
  if (several > 1) return `This is ${NUMBERS[several] ?? 'a list of'} addresses. Enter one.`;
  const [local = '', domain = '', more] = address.split('@', 3);
  if (local === '' || domain === '' || more !== undefined) return WRONG_ADDRESS;
  if (address.includes(' ')) return 'Remove the space from the email address.';
  if (/[^\p{ASCII}]/u.test(domain) && /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain))
    return `Write the part after the @ as ${inAscii(domain)}.`;
  const sign = /[^A-Za-z0-9_'+.-]/u.exec(local)?.[0] ?? /[^A-Za-z0-9.-]/u.exec(domain)?.[0];
  return sign === undefined ? WRONG_ADDRESS : `Remove the ${sign} from the email address.`;
}

/**
 * The email address in what was typed or pasted: `Name <name@school.sch.uk>`, `mailto:name@school.sch.uk`, an address with
 * invisible characters or the signs of a sentence. Takes linear time. An address that is right stays as it is.
 * @returns the address, or what is wrong with it
 */
export function readEmailAddress(typed: string): { address: string } | { fault: string } {
  const address = unwrap(typed);
  if (address === '') return { fault: 'Enter an email address.' };
  if (!z.email().safeParse(address).success) return { fault: describeFault(address) };
  return address.length > MAX_ADDRESS_LENGTH
    ? { fault: `An email address has at most ${String(MAX_ADDRESS_LENGTH)} characters.` }
    : { address };
}
