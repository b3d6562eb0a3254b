import type { Program } from '#contract/calls/programs.ts';
import { DAYS_LISTED_AFTER_END, PROGRAM_SCOPES, type ProgramEnd, SCOPE_TEXTS } from '#contract/programs.ts';
import { formatDate, formatMoment, listInWords } from '../../../../shared/format.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** What the program can do: `See pupils and classes, assign books`. */
export function scopesInWords({ scopes }: Pick<Program, 'scopes'>): string {
  const names = PROGRAM_SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => SCOPE_TEXTS[scope].name);
  return names.map((name, index) => (index === 0 ? name : lowerFirst(name))).join(', ');
}

/** The classes to which the program is limited. */
export function classesInWords({ groups: classes }: Pick<Program, 'groups'>): string {
  if (classes === null) return 'The whole school';
  if (classes.length === 0) return 'None, because its classes have been deleted';
  return listInWords(classes.map(({ name }) => name));
}

/** Who made the program, and when. */
export const madeInWords = ({ made_at: at, made_by: maker }: Pick<Program, 'made_at' | 'made_by'>): string =>
  `${formatDate(at)}, by ${maker?.name ?? 'a former member of staff'}`;

/** When the program was used from another network than before, if that was lately. */
export function otherNetworkInWords({ other_network_at: at }: Program, now: number): string | undefined {
  const isRecent = at !== null && now - Date.parse(at) < DAYS_LISTED_AFTER_END * DAY_MS;
  return isRecent ? `Also used from another network, on ${formatMoment(at)}` : undefined;
}

const ENDS: Record<ProgramEnd, (day: string) => string> = {
  revoked: (day) => `Revoked on ${day}`,
  expired: (day) => `Ended on ${day}, when its time was up`,
  not_confirmed: (day) => `Ended on ${day}, because no admin confirmed it`,
  school_closed: (day) => `Ended on ${day}, because the school closed`,
};

/** When a program ended, and why. */
export const endInWords = ({ ended_at: at, ended_because: reason }: Program): string =>
  ENDS[reason ?? 'expired'](at === null ? '' : formatDate(at));
