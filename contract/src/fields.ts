import { z } from 'zod';
import { readEmailAddress } from './email-address.ts';
import { countries, DEFAULT_COUNTRY } from './countries.ts';
import { DEFAULT_PAGE_SIZE, FIRST_DAY, PAGE_SIZES } from './limits.ts';
import { stripAccents } from './strip-accents.ts';

/** The maximum length of a form field, before it is trimmed and tidied. */
const MAX_FIELD_LENGTH = 2000;

/**
 * The base of every text field in a request. The length is checked first, so that no pattern or normalisation ever runs on
 * more than `longest` characters.
 * @param error the message for a value that is not a string
 * @param tooLong replaces the standard message for a text that is too long
 */
export const text = (error: string, tooLong?: string, longest = MAX_FIELD_LENGTH) =>
  z.string(error).max(longest, { error: tooLong ?? `This has at most ${longest} characters.`, abort: true });

/** The JSON Schema to publish for a path or query parameter, instead of the string that is parsed. */
export const documentedAs = z.registry<Record<string, unknown>>();

/** A positive integer: the ID of a school, user, class, pupil or book. */
export const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER).meta({ id: 'Id' });

/** An ID in a path or query string: digits only. */
export const idInPath = text('This is not a valid ID.', 'This is not a valid ID.')
  .regex(/^[1-9]\d{0,15}$/, 'This is not a valid ID.')
  .transform(Number)
  .pipe(id)
  .register(documentedAs, { $ref: '#/$defs/Id' });

/** Path parameters that are ids: `ids('id', 'readerId')`. */
export function ids<const Names extends readonly string[]>(...names: Names) {
  return z.strictObject(
    Object.fromEntries(names.map((name) => [name, idInPath])) as Record<Names[number], typeof idInPath>,
  );
}

/** A timestamp in ISO 8601, in UTC and with milliseconds: `2026-11-21T09:30:00.000Z`. */
export const timestamp = z.iso.datetime({ precision: 3 }).meta({ id: 'Timestamp' });

/** A timestamp that a client sends: ISO 8601 with any offset. */
export const timestampInput = z.iso
  .datetime({
    offset: true,
    abort: true,
    error: 'Give a date and time with its offset, such as 2026-11-21T09:30:00Z.',
  })
  .max(64, { abort: true, error: 'Give a date and time with its offset, such as 2026-11-21T09:30:00Z.' })
  .meta({ id: 'TimestampInput' });

const STATISTICS_END = Date.UTC(2100, 0, 1);
/** A day earlier, because days begin earlier east of Greenwich. */
const STATISTICS_START = Date.parse(FIRST_DAY) - 86_400_000;

/** A time that statistics can be requested for. */
export const statisticsMoment = timestampInput
  .refine((value) => !(Date.parse(value) < STATISTICS_START), 'Statistics begin on 1 January 2018.')
  .refine((value) => !(Date.parse(value) >= STATISTICS_END), 'Give a date before 2100.');

/** Email as a person types or pastes it, read by `readEmailAddress`; at most 254 characters. */
export const email = text('Enter an email address.', 'An email address has at most 254 characters.').transform(
  (typed, context) => {
    const result = readEmailAddress(typed);
    if ('address' in result) return result.address;
    context.addIssue({ code: 'custom', message: result.fault });
    return z.NEVER;
  },
);

/** The password of an existing account, as typed. */
export const existingPassword = text('Enter a password.', 'A password has at most 200 characters.')
  .min(1, 'Enter a password.')
  .max(200, 'A password has at most 200 characters.');

/** A new password: 7 to 200 characters. */
export const newPassword = text('Enter a password.', 'A password has at most 200 characters.')
  .min(7, 'A password has at least 7 characters.')
  .max(200, 'A password has at most 200 characters.');

/**
 * Top-level domains that make `word.word` a host name. Browsers get the common ones; the server adds the others when it
 * starts (`server/src/top-level-domains.ts`), so that pages need not load a list of 1,400.
 */
export const topLevelDomains = new Set(
  'app biz click co com de dev edu eu example fr gov ie in info invalid io ir link live local localhost me net nl online org ru sch shop site store test top tv uk us xyz'.split(
    ' ',
  ),
);

/** Labels of host names and the dots between them. A single character class, so that matching takes linear time. */
const LABELS_AND_DOTS = /[\p{L}\p{M}\p{N}_.-]+/gu;
const IP_ADDRESS = /^\d{1,3}(\.\d{1,3}){3}$/;

/**
 * False if the line contains a URL, an email address or something that looks like a host name. Names appear in emails, where
 * mail programs turn host names into links.
 */
export function hasNoAddress(line: string): boolean {
  // Normalised as in mail programs: full-width characters and ideographic full stops folded, invisible ones removed.
  const plain = line
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .replace(/\u3002/g, '.');
  if (/:\/\/|\bwww\.|\S@\S|\b(?:mailto|javascript|tel):/iu.test(plain)) return false;
  for (const { 0: run, index } of plain.matchAll(LABELS_AND_DOTS)) {
    const hosts = run
      .split('..')
      .map((part) => part.replace(/^\.|\.$/g, ''))
      .filter((part) => part.includes('.'));
    // With a path, port or query it is a URL, whatever its last label is.
    const next = plain.slice(index + run.length, index + run.length + 2);
    if (hosts.length > 0 && /^(?:\/|[:?#]\S)/.test(next)) return false;
    for (const host of hosts) {
      if (IP_ADDRESS.test(host)) return false;
      const [, ...labels] = host.toLowerCase().split('.');
      if (labels.some((label) => topLevelDomains.has(label))) return false;
    }
  }
  return true;
}
const noAddressText = (label: string): string =>
  `The ${label} cannot contain a web or email address. Put a space after each full stop.`;
/** Whether the text has no line breaks or other control characters. */
const isOneLine = (line: string): boolean => !/\p{Cc}/u.test(line);

/** A required line of text, trimmed. `label` is used in its error messages. */
export const requiredLine = (label: string, longest: number) =>
  text(`Enter the ${label}.`, `The ${label} has at most ${longest} characters.`)
    .trim()
    .min(1, `Enter the ${label}.`)
    .max(longest, `The ${label} has at most ${longest} characters.`)
    .refine(isOneLine, `The ${label} is one line.`);

/** An optional line of text; null if empty. */
export const optionalLine = (label: string, longest: number) =>
  text(`The ${label} must be text.`, `The ${label} has at most ${longest} characters.`)
    .trim()
    .max(longest, `The ${label} has at most ${longest} characters.`)
    .refine(isOneLine, `The ${label} is one line.`)
    .nullish()
    .transform((typed) => typed || null);

/** First or last name of a member of staff: at least 2 characters. */
export const personName = (label: string) =>
  text(`Enter the ${label}.`, `The ${label} has at most 100 characters.`)
    .trim()
    .min(2, `The ${label} has at least 2 characters.`)
    .max(100, `The ${label} has at most 100 characters.`)
    .refine(isOneLine, `The ${label} is one line.`)
    .refine(hasNoAddress, noAddressText(label));

/** A school's name: 1 to 191 characters. */
export const schoolName = requiredLine('name of the school', 191).refine(
  hasNoAddress,
  noAddressText('name of the school'),
);

/** Unique Reference Number of a school in England: six digits; optional. */
export const urn = z
  .union(
    [text('A URN has six digits.', 'A URN has six digits.'), z.number().transform(String)],
    'A URN has six digits.',
  )
  .transform((typed) => typed.replace(/\s+/g, ''))
  .pipe(z.string().regex(/^(\d{6})?$/, 'A URN has six digits.'))
  .nullish()
  .transform((typed) => typed || null);

/** A boolean as clients send it: true or false, 1 or 0, or the same as strings. */
export const flag = z.union(
  [
    z.boolean(),
    z.union([z.literal(1), z.literal('1'), z.literal('true')]).transform(() => true),
    z.union([z.literal(0), z.literal('0'), z.literal('false')]).transform(() => false),
  ],
  'Send true or false.',
);

/** Plus signs and digits; spaces, brackets, dashes and dots are removed. */
export const telephone = text('Enter a phone number.', 'A phone number has at most 20 characters.')
  .transform((typed) => typed.replace(/[\s()./\u2010-\u2015-]+/g, ''))
  .pipe(
    z
      .string()
      .min(1, 'Enter a phone number.')
      .max(20, 'A phone number has at most 20 characters.')
      .regex(/^\+*\d[+\d]*$/, 'A phone number has only plus signs and digits.'),
  );

/** Three-letter country code; GBR by default. */
export const countryCode = text('Choose a country.', 'Choose a country from the list.')
  .trim()
  .toUpperCase()
  .refine((code) => countries.has(code), 'Choose a country from the list.')
  .default(DEFAULT_COUNTRY);

/** Countries with Royal Mail postcodes: the United Kingdom, Guernsey, Jersey and the Isle of Man. */
const ROYAL_MAIL = ['GBR', 'GGY', 'JEY', 'IMN'];
/** British Forces Post Office, Girobank, then area, district, sector and unit. Source: BS 7666, Royal Mail's PAF guide. */
const UK_POSTCODE =
  /^(BFPO\d{1,4}|GIR0AA|([A-PR-UWYZ]\d{1,2}|[A-PR-UWYZ][A-HK-Y]\d{1,2}|[A-PR-UWYZ]\d[A-HJKPSTUW]|[A-PR-UWYZ][A-HK-Y]\d[ABEHMNPRVWXY])\d[ABD-HJLNP-UW-Z]{2})$/;
const OTHER_POSTCODE = /^(?=.*[A-Z\d])[A-Z\d -]{2,12}$/;
export const WRONG_POSTCODE = 'The Postcode is invalid';

/**
 * Formats a postcode typed with any spacing and case: `sw1a1aa` gives `SW1A 1AA`. Undefined if it is invalid.
 * Outside the Royal Mail's countries a postcode has 2 to 12 letters, digits, spaces and hyphens.
 */
export function normalizePostcode(typed: string, country: string): string | undefined {
  if (!ROYAL_MAIL.includes(country)) {
    const tidied = typed.trim().replace(/\s+/g, ' ').toUpperCase();
    return OTHER_POSTCODE.test(tidied) ? tidied : undefined;
  }
  const code = typed.replace(/\s+/g, '').toUpperCase();
  if (!UK_POSTCODE.test(code)) return undefined;
  return code.startsWith('BFPO') ? `BFPO ${code.slice(4)}` : `${code.slice(0, -3)} ${code.slice(-3)}`;
}

/** IDs of pupils in a query, separated by commas. */
export const pupilIdsInQuery = (max: number) =>
  text('Send the ids of pupils separated by commas.', `Choose at most ${max} pupils.`, 20 * max)
    .transform((list) => list.split(',').filter(Boolean))
    .pipe(z.array(idInPath).min(1, 'Choose a pupil.').max(max, `Choose at most ${max} pupils.`));

/** `page` (from 1) and `per_page` (one of `PAGE_SIZES`) of a paged list. */
export const paging = {
  page: text('The page is a whole number from 1.')
    .regex(/^[1-9]\d{0,6}$/, 'The page is a whole number from 1.')
    .transform(Number)
    .default(1)
    .register(documentedAs, { type: 'integer', minimum: 1, maximum: 9_999_999, default: 1 }),
  per_page: z
    .enum(PAGE_SIZES.map(String), `Choose ${PAGE_SIZES.slice(0, -1).join(', ')} or ${PAGE_SIZES.at(-1)} rows per page.`)
    .transform(Number)
    .default(DEFAULT_PAGE_SIZE)
    .register(documentedAs, { type: 'integer', enum: PAGE_SIZES, default: DEFAULT_PAGE_SIZE }),
};

/** `meta` of a paged list. `total` counts all rows that the caller may see, `total_filtered` those that match the filters. */
export const pagedMeta = z
  .strictObject({
    total: z.number().int(),
    total_filtered: z.number().int(),
    page: z.number().int(),
    per_page: z.number().int(),
  })
  .meta({ id: 'PagedMeta' });

export const readingLevel = z.number().int().min(1).max(6).meta({ id: 'ReadingLevel' });

/** Letters of the Latin script, with the signs that languages write inside names: `O'Hara`, `Col·lell`, `St. Clair`. */
const PUPIL_NAME = /^[\p{Script=Latin}\p{M}'·. -]+$/u;
/** A name begins and ends with a letter, or the full stop of an abbreviation. */
const PUPIL_NAME_ENDS = /^'?\p{Script=Latin}(?:.*[\p{Script=Latin}\p{M}'.])?$/u;

/**
 * Normalises a name for storing, searching, importing and comparing: NFC, well-formed, without invisible characters, with
 * the plain apostrophe and hyphen, single spaces, trimmed. The `ʻ` of Hawaiian and the `ʼ` of others become apostrophes.
 */
export const normalizeName = (name: string): string =>
  name
    .toWellFormed()
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\u2018\u2019\u201B\u02BB\u02BC\u02B9\u02BE\u02BF\u2032\u00B4\uA78B\uA78C`]/g, "'")
    .replace(/[\u2010-\u2015\u2212\uFE63\uFF0D]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();

/** The form in which names are searched and compared: normalised, without accents, in lower case. */
export const searchKey = (given: string): string => stripAccents(normalizeName(given)).toLowerCase();

/** A class name: 1 to 100 characters, normalised. */
export const className = text('Enter a name for the class.', 'The name of a class has at most 100 characters.')
  .transform(normalizeName)
  .pipe(z.string().min(1, 'Enter a name for the class.').max(100, 'The name of a class has at most 100 characters.'));

/** Without the dashes that a list has before or after its names. */
function withoutDashes(name: string): string {
  const isSign = (at: number) => name[at] === '-' || name[at] === ' ';
  let from = 0;
  let to = name.length;
  while (isSign(from)) from += 1;
  while (to > from && isSign(to - 1)) to -= 1;
  return name.slice(from, to);
}

/** A pupil's name, normalised: 2 to 191 letters, with the hyphens, apostrophes, full stops and spaces between them. */
export const pupilName = text("Enter the pupil's name.", 'A name has at most 191 characters.')
  .transform((name) => withoutDashes(normalizeName(name)))
  .superRefine((name, context) => {
    const fail = (message: string) => context.addIssue({ code: 'custom', message });
    const plain = stripAccents(name);
    if (plain.length < 2) fail('A name has at least 2 letters.');
    else if (plain.length > 191 || name.length > 191) fail('A name has at most 191 characters.');
    else if (!PUPIL_NAME.test(name)) fail('A name has only letters, hyphens, apostrophes, full stops and spaces.');
    else if (!PUPIL_NAME_ENDS.test(name)) fail('A name begins and ends with a letter.');
  });

/** The token of a link. Only its length is checked here: an unknown token gets the same error as an expired one. */
export const linkToken = text('Send the token of the link.', 'This token is not valid.')
  .trim()
  .min(1, 'Send the token of the link.')
  .max(200, 'This token is not valid.');
