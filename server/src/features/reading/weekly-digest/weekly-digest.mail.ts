import type { NamesInEmails } from '#contract/calls/school.ts';
import { roleScopes } from '#contract/permissions.ts';
import { describeNeed, describeWhoRead } from '#contract/reading-sentence.ts';
import type { Days } from '#contract/school-calendar.ts';
import type { Config } from '../../../config.ts';
import { type MailItem, renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';
import type { DigestRecipient } from './weekly-digest.queries.ts';

/** A pupil by the name that the school's emails show. */
export interface DigestPupil {
  id: number;
  classId: number | null;
  name: string;
}

/** A class of the digest, in the order of the list of classes. */
export interface DigestClass {
  /** Null for pupils without a class. */
  id: number | null;
  name: string;
  pupils: number;
  pupilsReading: number;
}

/** Pupils in the digest, and how many there are in all. */
export interface DigestList<Pupil extends DigestPupil = DigestPupil> {
  named: readonly Pupil[];
  /** How many pupils each class has on the list. Key null: without a class. */
  byClass: ReadonlyMap<number | null, number>;
  total: number;
}

/** The reading of a week. No figure is about one child. */
export interface DigestReading {
  /** Monday and Sunday. */
  days: Days;
  isLastWeek: boolean;
  notRead: DigestList;
  readMost: readonly DigestPupil[];
}

export interface Digest {
  recipient: DigestRecipient;
  naming: NamesInEmails;
  classes: readonly DigestClass[];
  /** Null if the recipient had the digest of that week before the holidays. */
  reading: DigestReading | null;
  /** Null in a school without the list of pupils in need. */
  needs: DigestList<DigestPupil & { reason: string }> | null;
  /** The first and last day without school, after holidays. */
  holiday: Days | null;
  /** The token of the unsubscribe link. */
  token: string;
}

const LONG = { weekday: 'long', day: 'numeric', month: 'long' } as const;

const day = (text: string, format: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', { ...format, timeZone: 'UTC' }).format(new Date(`${text}T00:00:00Z`));

/** `16 to 22 November`, or with both months. */
function formatSpan({ from, to }: Days): string {
  const first = day(from, { day: 'numeric', ...(from.slice(0, 7) === to.slice(0, 7) ? {} : { month: 'long' }) });
  return `${first} to ${day(to, { day: 'numeric', month: 'long' })}`;
}

const count = (n: number, noun: string): string => `${String(n)} ${noun}${n === 1 ? '' : 's'}`;

/** Classes in a list at most: an email is not a register. */
const MAX_CLASSES = 10;

/** The rest of a list, as a link to the screen that has all of it. */
const andMore = (total: number, shown: number, url: string): MailItem[] =>
  total > shown ? [{ text: `and ${String(total - shown)} more`, url }] : [];

/** The entries of a list of pupils: by name, or how many each class has. */
function listPupils<Pupil extends DigestPupil>(
  list: DigestList<Pupil>,
  { naming, classes }: { naming: NamesInEmails; classes: readonly DigestClass[] },
  publicUrl: string,
  { detailOf, verb }: { detailOf?: (pupil: Pupil) => string; verb: (pupils: number) => string },
): MailItem[] {
  if (naming !== 'none')
    return [
      ...list.named.map((pupil) => ({
        text: pupil.name,
        url: `${publicUrl}/pupils/${String(pupil.id)}`,
        ...(detailOf ? { detail: detailOf(pupil) } : {}),
      })),
      ...andMore(list.total, list.named.length, `${publicUrl}/`),
    ];
  const listed = classes.filter(({ id }) => list.byClass.has(id));
  return [
    ...listed.slice(0, MAX_CLASSES).map(({ id, name }) => {
      const pupils = list.byClass.get(id) ?? 0;
      return {
        text: `${count(pupils, 'pupil')} ${id === null ? 'without a class' : `of ${name}`} ${verb(pupils)}`,
        url: id === null ? `${publicUrl}/` : `${publicUrl}/?class=${String(id)}`,
      };
    }),
    ...andMore(listed.length, MAX_CLASSES, `${publicUrl}/`),
  ];
}

/** The weekly digest. The subject has only dates, because it shows on locked screens. */
export function digestMail({ productName, publicUrl }: Config, digest: Digest): Mail {
  const { recipient, naming, classes, reading, needs, holiday, token } = digest;
  const scope = roleScopes[recipient.role].details === 'school' ? 'your school' : 'your classes';
  const show = { naming, classes };
  const sum = (key: 'pupils' | 'pupilsReading') => classes.reduce((total, each) => total + each[key], 0);
  const when = reading?.isLastWeek ? 'last week' : 'in that week';
  const sentence = reading && describeWhoRead({ pupils: sum('pupils'), readers: sum('pupilsReading') }, when);
  const title = reading?.isLastWeek ? 'Reading last week' : 'Reading after the holidays';
  return renderEmail(productName, {
    kind: 'weekly_digest',
    recipient: recipient.email,
    subject: reading
      ? `Reading ${reading.isLastWeek ? 'last week' : 'before the holidays'}: ${formatSpan(reading.days)}`
      : 'Reading after the holidays',
    title,
    paragraphs: [
      `Hello ${recipient.firstName},`,
      ...(holiday ? [`There was no school from ${day(holiday.from, LONG)} to ${day(holiday.to, LONG)}.`] : []),
      ...(reading && sentence
        ? [reading.isLastWeek ? `${sentence}.` : `The last school week was ${formatSpan(reading.days)}. ${sentence}.`]
        : []),
      ...(needs?.total === 0 ? [`${describeNeed(0)}.`] : []),
    ],
    sections: [
      ...(needs && needs.total > 0
        ? [
            {
              heading: `${describeNeed(needs.total)}.`,
              items: listPupils(needs, show, publicUrl, {
                detailOf: ({ reason }) => reason,
                verb: (pupils) => (pupils === 1 ? 'needs you' : 'need you'),
              }),
            },
          ]
        : []),
      ...(reading && reading.notRead.total > 0
        ? [
            {
              heading: `Did not read ${when}`,
              items: listPupils(reading.notRead, show, publicUrl, { verb: () => 'did not read' }),
            },
          ]
        : []),
      ...(reading && classes.length > 1
        ? [
            {
              heading: 'Classes',
              facts: classes
                .slice(0, MAX_CLASSES)
                .map((each): [string, string] => [
                  each.name,
                  describeWhoRead({ pupils: each.pupils, readers: each.pupilsReading }, when),
                ]),
              ...(classes.length > MAX_CLASSES && { items: andMore(classes.length, MAX_CLASSES, `${publicUrl}/`) }),
            },
          ]
        : []),
      ...(reading && reading.readMost.length > 0
        ? [{ heading: `Read most ${when}`, items: reading.readMost.map(toLink(publicUrl)) }]
        : []),
    ],
    action: { label: 'Open the dashboard', url: `${publicUrl}/` },
    closing: [
      `This email covers the pupils in ${scope}. It names at most ten of them and shows no figures about a child: these are on the dashboard.`,
      'Pupils count in their current class. “Did not read” means no reading from Monday to Sunday in your school’s time zone. Admins choose how emails name pupils, on the School screen.',
    ],
    unsubscribe: { label: 'Stop this weekly email', url: `${publicUrl}/digest/unsubscribe/${token}` },
  });
}

const toLink =
  (publicUrl: string) =>
  ({ id, name }: DigestPupil): MailItem => ({ text: name, url: `${publicUrl}/pupils/${String(id)}` });
