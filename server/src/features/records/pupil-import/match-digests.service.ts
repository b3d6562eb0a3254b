import { parseBirthDate } from '#contract/birth-date.ts';
import { isUpn } from '#contract/upn.ts';
import { digestSecret } from '../../../auth/secrets-key.ts';
import type { Config } from '../../../config.ts';

/** A client sends digests back, so that their length is checked before they are stored. */
const DIGEST_BYTES = 32;

/** Keyed digests of what identifies a pupil besides the name, one for each of the installation's keys, newest first. */
export interface MatchDigests {
  births: readonly string[];
  upns: readonly string[];
}

/** Returns a function that replaces a date of birth and a UPN by digests; null without either. */
export const createDigester =
  (config: Config, schoolId: number, today: string) =>
  (birthText: string, upnText: string): string | null => {
    // The purposes of school records, so that a spreadsheet recognises pupils from there.
    const digest = (purpose: string, text: string) =>
      digestSecret(config, purpose, `${schoolId} ${text}`)
        .map((bytes) => bytes.toString('base64url'))
        .join('.');
    const birthDate = parseBirthDate(birthText, today);
    const upn = upnText.trim().toUpperCase();
    const births = birthDate === null ? '' : digest('school records birth', birthDate);
    const upns = isUpn(upn) ? digest('school records upn', upn) : '';
    return births || upns ? `${births}/${upns}` : null;
  };

export function parseMatch(match: string | null): MatchDigests {
  const [births = '', upns = ''] = (match ?? '').split('/');
  return { births: births.split('.').filter(Boolean), upns: upns.split('.').filter(Boolean) };
}

/** The newest digest of each, in hexadecimal for the database; null where there is none. */
export function toStored({ births, upns }: MatchDigests): { birth: string | null; upn: string | null } {
  const toHex = (digest = '') => {
    const bytes = Buffer.from(digest, 'base64url');
    return bytes.length === DIGEST_BYTES ? bytes.toString('hex') : null;
  };
  return { birth: toHex(births[0]), upn: toHex(upns[0]) };
}

const haveCommon = (first: readonly string[], second: readonly string[]) =>
  first.some((digest) => second.includes(digest));

export const hasSameUpn = (a: MatchDigests, b: MatchDigests): boolean => haveCommon(a.upns, b.upns);
export const hasSameBirth = (a: MatchDigests, b: MatchDigests): boolean => haveCommon(a.births, b.births);

/** Both dates of birth are known, and they are different. */
export const hasOtherBirth = (a: MatchDigests, b: MatchDigests): boolean =>
  a.births.length > 0 && b.births.length > 0 && !hasSameBirth(a, b);

/** Whether a text contains a date of birth or what could be a UPN, which must not be stored as a class or a header. */
export const looksPersonal = (text: string, today: string): boolean =>
  /[a-z]\d{11}[\da-z]/i.test(text.replace(/\s/g, '')) || findDates(text).some((part) => parseBirthDate(part, today));

/** Parts of a text that could be dates, separated from what is around them. */
const findDates = (text: string): string[] => [
  text,
  ...(text.match(/\d{1,4}(?:st|nd|rd|th)?[-/. ]+(?:\d{1,2}|[a-z]{3,9})\.?,?[-/. ]+\d{2,4}/gi) ?? []),
];
