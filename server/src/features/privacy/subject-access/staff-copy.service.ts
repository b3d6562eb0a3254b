import { type Role, ROLE_TEXTS, ROLES } from '#contract/permissions.ts';
import { formatLongDay } from '../../../clock.ts';
import type { CopySection } from './copy-page.document.ts';
import { countOf, formatAge, formatNumber, formatTimes } from './copy-format.service.ts';
import {
  changeSection,
  type CopyContent,
  entrySection,
  foldMonths,
  loginSection,
  purposeSection,
  sectionOf,
  tableOfSpans,
} from './copy-page.service.ts';

/** `an administrator`, `a teacher`, `a reading lead or SENCO` */
function nameRole(role: Role): string {
  const { name } = ROLE_TEXTS[role];
  return role === 'admin' ? 'an administrator' : `a ${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

/** The first page about a member of staff: who, since when, what they did, and what was sent to them. */
export function summariseStaff({ name, school, product, today, digest }: CopyContent): string[] {
  const [user] = digest.latest('users');
  const [member] = digest.latest('staff');
  const since = user?.created_at instanceof Date ? digest.dayOf(user.created_at) : null;
  // Null once the person has left.
  const role = ROLES.find((other) => other === member?.role);
  const classes = digest
    .latest('class_teachers')
    .flatMap(({ class_name: className }) => (typeof className === 'string' ? className : []));
  const [logins, changes, views, emails] = [digest.logins, digest.changes, digest.views, digest.emails].map((spans) =>
    spans.total(),
  );
  return [
    `${name} ${role ? `is ${nameRole(role)}` : 'was a member of staff'} at ${school}${classes.length > 0 ? `, for ${countOf(classes.length, 'class', 'classes')}: ${classes.join(', ')}` : ''}.${
      since
        ? ` The account in ${product} was made on ${formatLongDay(since)}, ${since === today ? 'today' : `${formatAge(since, today)} ago`}.`
        : ''
    }`,
    logins
      ? `${name} logged in ${formatTimes(logins.count)} in the last 12 months, the last time on ${formatLongDay(digest.dayOf(logins.last))}.`
      : 'No login in the last 12 months is stored.',
    `In that time ${name} looked at the records of pupils ${formatTimes(views?.count ?? 0)}. The list of changes has ${countOf(changes?.count ?? 0, 'entry', 'entries')} by or about ${name}. ${product} sent ${countOf(emails?.count ?? 0, 'email')} in the last 90 days.`,
  ];
}

/** The sections of a copy about a member of staff. */
export const listStaffSections = (content: CopyContent): CopySection[] => [
  ...entrySection(content, 'Account', [
    'users',
    'staff',
    'contacts',
    'classes',
    'class_teachers',
    'school_records_staff',
  ]),
  ...loginSection(content),
  ...viewsByMonth(content),
  ...changeSection(content, 'Changes by or about this member of staff'),
  ...sectionOf('Emails', {
    tables: tableOfSpans(content.digest.emails, content.digest, {
      name: 'Kind',
      counted: 'Emails',
      words: (kind) => kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' '),
      table: 'outbox',
    }),
  }),
  ...entrySection(content, 'Security and agreements', [
    'sessions',
    'devices',
    'login_factors',
    'linked_accounts',
    'factor_recoveries',
    'one_time_links',
    'email_changes',
    'invites',
    'own_readers',
    'school_closings',
    'admin_requests',
    'support_permissions',
    'subject_requests',
    'terms_acceptances',
  ]),
  ...purposeSection(content),
];

function viewsByMonth({ digest }: CopyContent): CopySection[] {
  const months = new Map(digest.views.list().map(({ key, count }) => [key, count]));
  if (months.size === 0) return [];
  return sectionOf('Records of pupils that were opened', {
    sentences: ['The pupils are not named here, because the record of who looked belongs to the data of each pupil.'],
    tables: [
      {
        columns: [
          { name: 'Month', width: 5 },
          { name: 'Views', width: 1.4, isNumber: true },
        ],
        rows: foldMonths(months, (a, b) => a + b).map(([month, count]) => [month, formatNumber(count)]),
        total: ['Total', formatNumber(digest.views.total()?.count ?? 0)],
      },
    ],
  });
}
