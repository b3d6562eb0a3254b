import { roleScopes } from '#contract/permissions.ts';
import type { Config } from '../../../config.ts';
import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';
import type { DigestRecipient, PupilWeek } from './weekly-digest.queries.ts';

/** A class's week. Reading times are active seconds. Pupils are in order of name; the best are ranked. */
export interface ClassWeek {
  name: string;
  pupils: number;
  pupilsReading: number;
  readingTime: number;
  booksCompleted: number;
  topByTime: PupilWeek[];
  topByBooks: PupilWeek[];
  notRead: PupilWeek[];
}

interface Digest {
  recipient: DigestRecipient;
  /** Monday and Sunday of the week, `YYYY-MM-DD`. */
  from: string;
  to: string;
  classes: readonly ClassWeek[];
  /** The token of the unsubscribe link. */
  token: string;
}

const day = (text: string, format: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', { ...format, timeZone: 'UTC' }).format(new Date(`${text}T00:00:00Z`));

/** `16 to 22 November`, or with both months. */
function formatSpan(from: string, to: string): string {
  const first = day(from, { day: 'numeric', ...(from.slice(0, 7) === to.slice(0, 7) ? {} : { month: 'long' }) });
  return `${first} to ${day(to, { day: 'numeric', month: 'long' })}`;
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** Formats seconds as whole minutes. */
function formatDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return 'under 1 min';
  const hours = Math.floor(minutes / 60);
  return [hours > 0 ? `${hours} h` : '', minutes % 60 > 0 ? `${minutes % 60} min` : ''].filter(Boolean).join(' ');
}

const listPupils = (pupils: readonly PupilWeek[], of: (pupil: PupilWeek) => string): string =>
  pupils.map(of).join(', ');

function buildFacts(week: ClassWeek): [string, string][] {
  const share = `${week.pupilsReading} of ${count(week.pupils, 'pupil')}`;
  const sums = `${formatDuration(week.readingTime)} together, ${count(week.booksCompleted, 'book')} completed`;
  const facts: [string, string][] = [['Read last week', week.pupilsReading === 0 ? share : `${share}: ${sums}`]];
  if (week.topByTime.length > 0)
    facts.push([
      'Most reading time',
      listPupils(week.topByTime, ({ name, readingTime }) => `${name} (${formatDuration(readingTime)})`),
    ]);
  if (week.topByBooks.length > 0)
    facts.push([
      'Most books completed',
      listPupils(week.topByBooks, ({ name, booksCompleted }) => `${name} (${booksCompleted})`),
    ]);
  facts.push(['Did not read', week.notRead.length === 0 ? 'No one' : listPupils(week.notRead, ({ name }) => name)]);
  return facts;
}

/** The weekly digest. The subject has only dates, because it shows on locked screens. */
export function digestMail({ productName, publicUrl }: Config, { recipient, from, to, classes, token }: Digest): Mail {
  const sum = (key: 'pupils' | 'pupilsReading') => classes.reduce((total, week) => total + week[key], 0);
  const scope = roleScopes[recipient.role].details === 'school' ? 'your school' : 'your classes';
  const long = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  return renderEmail(productName, {
    kind: 'weekly_digest',
    recipient: recipient.email,
    subject: `Reading last week: ${formatSpan(from, to)}`,
    title: 'Reading last week',
    paragraphs: [
      `Hello ${recipient.firstName},`,
      `From ${day(from, long)} to ${day(to, long)}, ${sum('pupilsReading')} of ${count(sum('pupils'), 'pupil')} in ${scope} read.`,
    ],
    sections: classes.map((week) => ({ heading: week.name, facts: buildFacts(week) })),
    action: { label: 'Open the dashboard', url: `${publicUrl}/` },
    closing: [
      'Reading time is active reading: the clock stops after a minute without activity. For each class we name up to three pupils with the most reading time and up to three with the most books completed.',
      'Pupils count in their current class. “Did not read” means no reading from Monday to Sunday in your school’s time zone.',
    ],
    unsubscribe: { label: 'Stop this weekly email', url: `${publicUrl}/digest/unsubscribe/${token}` },
  });
}
