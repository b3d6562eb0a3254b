import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import words from '#content/password-words.json' with { type: 'json' };
import { stripAccents } from '#contract/fields.ts';
import { type HashCost, hashPassword } from '../../auth/password-hashing.ts';

/** A password and what is stored of it. */
export interface Credential {
  password: string;
  hash: string;
}

/** Digits that look like no letter and no other digit. The words do without i, l and o. */
const DIGITS = '2346789';
/** What two harmless words can make where they meet. */
const RUDE = /rape|arse|wank|perv|turd|crap|fart|damn|dyke|scum|shag|slag|bum|fag|fat|cum|sex|anus|gay|jew|dead/;

const pick = <T>(list: ArrayLike<T>): T => list[randomInt(list.length)] as T;
const digits = (length: number) => Array.from({ length }, () => pick(DIGITS)).join('');

/** A password that a child can read and type: two short words and two digits. */
export function generatePassword(): string {
  for (;;) {
    const text = pick(words) + pick(words);
    if (!RUDE.test(text)) return text + digits(2);
  }
}

/** As many passwords with their hashes; as many at once as there are processors, so that a login never waits for all of them. */
export async function generateCredentials(count: number, cost: HashCost): Promise<Credential[]> {
  const secrets: Credential[] = [];
  let started = 0;
  const work = async () => {
    while (started < count) {
      started += 1;
      const password = generatePassword();
      secrets.push({ password, hash: await hashPassword(password, cost) });
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, availableParallelism()) }, work));
  return secrets;
}

/** Letters of the first name and of the surname that a username keeps at most. */
const FIRST_LENGTH = 12;
const LAST_LENGTH = 12;

/** The part of a username that comes from the name: `Łukasz Nguyễn-Smith` gives `lukasz-nguyen`. */
export function usernameStem(name: string): string {
  const parts = stripAccents(name)
    .toLowerCase()
    .replace(/'/g, '')
    .split(/[^a-z]+/)
    .filter(Boolean);
  const [first = 'pupil'] = parts;
  // The surname's first part: of "Ada Smith-Jones" ada-smith, of "Thi Anh Nguyen" thi-nguyen.
  const last =
    stripAccents(name)
      .toLowerCase()
      .replace(/'/g, '')
      .trim()
      .split(/\s+/)
      .slice(1)
      .at(-1)
      ?.split(/[^a-z]+/)
      .filter(Boolean)[0] ?? '';
  const stem = [first.slice(0, FIRST_LENGTH), last.slice(0, LAST_LENGTH)].filter(Boolean).join('-');
  return stem;
}

/** Digits behind the stem, a try each. Their number grows, so that tries of different rounds are never the same username. */
export const USERNAME_ROUNDS = [0, 2, 3, 4, 6, 8] as const;

/** A username to try in a round. The shortest stems get digits at once: `li` is no username. */
export function usernameCandidate(stem: string, round: number): string {
  const length = USERNAME_ROUNDS[round] ?? 8;
  return length === 0 && stem.length < 4 ? `${stem}${digits(1)}` : stem + digits(length);
}
