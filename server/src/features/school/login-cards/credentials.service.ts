import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import words from '#content/password-words.json' with { type: 'json' };
import { stripAccents } from '#contract/strip-accents.ts';
import { type HashCost, hashPassword } from '../../../auth/password-hashing.ts';

/** A password and its hash. */
export interface Credential {
  password: string;
  hash: string;
  /** Whether it consists of short words. */
  isShort: boolean;
}

/** Digits that cannot be confused with letters or other digits. The words contain no i, l or o. */
const DIGITS = '2346789';
const SHORT_WORDS = words.filter((word) => word.length <= 4);
/** Words that the end of one harmless word and the start of another can form; without i, l and o, like the words. */
const RUDE =
  'anus arse ass bad bang bra bum butt crack crap cum cunt damn dead drunk dumb dunce dyke fag fart fat fuck gay hag hate hump jap jerk jew mad muff nude perv prat puke pussy rape rat sad scum sex shag smut spaz spunk suck tart tramp turd twat ugh wank weed'.split(
    ' ',
  );

const pick = <T>(list: ArrayLike<T>): T => list[randomInt(list.length)] as T;
const digits = (length: number) => Array.from({ length }, () => pick(DIGITS)).join('');

/** Whether two words form something rude when read without their hyphen. */
export function joinsRudely(first: string, second: string): boolean {
  const joined = first + second;
  return RUDE.some((rude) => {
    const from = joined.indexOf(rude, Math.max(0, first.length - rude.length + 1));
    return from >= 0 && from < first.length;
  });
}

/** A password that a child can read and type: two words with a hyphen, and two digits. */
export function generatePassword(isShort = false): string {
  const list = isShort ? SHORT_WORDS : words;
  for (;;) {
    const [first, second] = [pick(list), pick(list)];
    if (!joinsRudely(first, second)) return `${first}-${second}${digits(2)}`;
  }
}

/** A pupil's password for hashing, without hyphens and spaces, which tablets turn into dashes. */
export const normalizePupilPassword = (password: string): string => password.replace(/[\s\p{Pd}\u2212]/gu, '');

const INFANTS =
  /\b(nursery|reception|foundation|eyfs|ks ?1|infants?)\b|\b(year|yr|y) ?(r\b|[0-2](?!\d))|^\s*(r|[12] ?[a-z]?)\b/i;

/** Whether a class is Nursery to Year 2 according to its name, so that its pupils get short words. */
export const isInfantClass = (className: string | null): boolean => className !== null && INFANTS.test(className);

/** Creates a password for each pupil from the name of their class. Concurrency equals the number of processors, so that a login never waits for all of them. */
export async function generateCredentials(
  classNames: readonly (string | null)[],
  cost: HashCost,
): Promise<Credential[]> {
  const credentials: Credential[] = [];
  let started = 0;
  const work = async () => {
    while (started < classNames.length) {
      const index = started;
      started += 1;
      const isShort = isInfantClass(classNames[index] ?? null);
      const password = generatePassword(isShort);
      credentials[index] = { password, hash: await hashPassword(normalizePupilPassword(password), cost), isShort };
    }
  };
  await Promise.all(Array.from({ length: Math.min(classNames.length, availableParallelism()) }, work));
  return credentials;
}

/** Assigns a prepared credential to each pupil by the name of their class, and creates those that are missing. */
export async function assignCredentials(
  prepared: readonly Credential[],
  classNames: readonly (string | null)[],
  cost: HashCost,
): Promise<Credential[]> {
  const unused = {
    short: prepared.filter(({ isShort }) => isShort),
    standard: prepared.filter(({ isShort }) => !isShort),
  };
  const assigned = classNames.map((name) => (isInfantClass(name) ? unused.short : unused.standard).pop());
  const missing = await generateCredentials(
    classNames.filter((_, index) => assigned[index] === undefined),
    cost,
  );
  return assigned.map((credential) => credential ?? (missing.shift() as Credential));
}

/** The maximum length of each part of a username. */
const FIRST_LENGTH = 12;
const LAST_LENGTH = 12;

/** The part of a username made from the name: `Łukasz Nguyễn-Smith` becomes `lukasz-nguyen`. */
export function usernameStem(name: string): string {
  const plain = stripAccents(name).toLowerCase().replace(/'/g, '').trim();
  const firstPart = (text = '') => /[a-z]+/.exec(text)?.[0];
  // The first part of the surname: "Ada Smith-Jones" becomes ada-smith, "Thi Anh Nguyen" becomes thi-nguyen.
  const surname = firstPart(plain.split(/\s+/).slice(1).at(-1));
  return [(firstPart(plain) ?? 'pupil').slice(0, FIRST_LENGTH), surname?.slice(0, LAST_LENGTH)]
    .filter(Boolean)
    .join('-');
}

/** The number of digits after the stem in each round. It grows, so that rounds never produce the same username. */
export const USERNAME_ROUNDS = [0, 2, 3, 4, 6, 8] as const;

/** A username to try in a round. The shortest stems get digits at once, because `li` is too short. */
export function usernameCandidate(stem: string, round: number): string {
  const length = USERNAME_ROUNDS[round] ?? 8;
  return length === 0 && stem.length < 4 ? `${stem}${digits(1)}` : stem + digits(length);
}
