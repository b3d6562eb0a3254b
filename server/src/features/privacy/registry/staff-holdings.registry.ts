import { type Holding, NO_ONE, STAFF_AND_SUPPORT, WITH_PUPIL } from './holding.registry.ts';

const WITH_ACCOUNT = 'Erasing the account';

/** Data about staff: accounts, logins, emails, and what they changed and saw. */
export const STAFF_HOLDINGS = {
  staff: {
    title: 'Staff accounts',
    contents:
      'Name, email address, role, and the password as a hash; of former staff when they left, instead of the role',
    whose: ['staff'],
    purpose: 'To let staff log in, and show who did what',
    recipients: STAFF_AND_SUPPORT,
    exported: 'teachers.xlsx',
    erased: 'Erasing a former member of staff',
    kept: 'While the person is on the staff of a school',
  },
  sessions: {
    title: 'Logins',
    contents: 'Who is logged in, since when, with which linked account, and the names of the browser and system',
    whose: ['pupils', 'staff'],
    purpose: 'To keep people logged in, and let staff end a login',
    recipients: 'The user. Our support team does not see it.',
    exported: { shown: 'Under My details, Security' },
    erased: 'Logging out; erasing the account or pupil',
  },
  'login-events': {
    title: 'Login history',
    contents:
      'When a pupil or member of staff logged in and how: password, passkey, code, link or provider; of staff also the names of the browser and system. Not the network address, failed attempts or our support team',
    whose: ['pupils', 'staff'],
    purpose: 'To find misuse of a login, and answer requests for a copy',
    recipients: 'The person, in a copy of everything about them.',
    exported: { shown: 'In the copy for a subject access request' },
    erased: 'Erasing the account or pupil',
  },
  devices: {
    title: 'Known devices',
    contents:
      'A hash that recognises the browser, for a program also a keyed digest of its network, and the last login; at most 20 for each user',
    whose: ['staff'],
    purpose: 'To announce a login from a new device, and to let the user log in while a stranger guesses',
    recipients: NO_ONE,
    exported: { shown: 'Under My details, Security' },
    erased: WITH_ACCOUNT,
  },
  'second-factors': {
    title: 'Passkeys, authenticator apps and recovery codes',
    contents: 'A name, a public key or an encrypted secret, times; recovery codes as keyed digests',
    whose: ['staff'],
    purpose: 'To protect logins',
    recipients: NO_ONE,
    exported: { shown: 'Under My details, Security' },
    erased: 'The user; erasing the account',
    kept: 'Until the user removes it; a request of our support team to reset one, for at most 7 days',
  },
  'linked-accounts': {
    title: 'Linked accounts',
    contents: 'Issuer, subject and tenant at Microsoft, Google or another provider; times',
    whose: ['staff'],
    purpose: 'To log in through that provider',
    recipients: 'The provider learns that the person logs in here.',
    exported: { shown: 'Under My details, Security' },
    erased: 'The user; erasing the account',
    kept: 'Until the user unlinks it or the account is erased',
  },
  links: {
    title: 'One-time links and unfinished logins',
    contents: 'A hash of the link, the user, an address to confirm, the reason of a support session',
    whose: ['staff'],
    purpose: 'To set a password, confirm an address, or log in',
    recipients: NO_ONE,
    exported: { shown: 'In the email with the link' },
    erased: WITH_ACCOUNT,
  },
  invites: {
    title: 'Invitations',
    contents:
      'Name and email address of the person invited, until they accept; then only whose account it is. A hash of the link',
    whose: ['staff'],
    purpose: 'To add staff',
    recipients: STAFF_AND_SUPPORT,
    exported: { shown: 'On the Teachers screen' },
    erased: 'The school; erasing the account that accepted it or has that address',
  },
  digests: {
    title: 'Weekly digests',
    contents: 'Who was sent the digest of which week, and a hash of the link to unsubscribe',
    whose: ['staff'],
    purpose: 'To send each digest once',
    recipients: NO_ONE,
    exported: { shown: 'In the email' },
    erased: WITH_ACCOUNT,
  },
  emails: {
    title: 'Emails',
    contents: 'Recipient, kind and times, and whom it is about by number; subject and text until delivery',
    whose: ['staff', 'pupils'],
    purpose: 'To send emails',
    recipients: 'The recipient, through our mail provider.',
    exported: { shown: 'In the recipient’s mailbox' },
    erased:
      'Erasing an account or a pupil deletes the emails to and about them. What a school has not yet sent to someone who leaves it is deleted, too',
  },
  'audit-log': {
    title: 'Changes (audit log)',
    contents: 'Who changed what and when; pupils and staff by number only, and reasons in words',
    whose: ['staff', 'pupils'],
    purpose: 'To show who did what, and to find mistakes and misuse',
    recipients: 'Admins of the school. Our support team.',
    exported: { shown: 'On the Changes screen, with a download' },
    erased: 'The period. Numbers of erased people remain without a name; reasons that name them are removed.',
    kept: '2 years after the change',
  },
  'record-views': {
    title: 'Who looked at pupils',
    contents:
      'Which member of staff saw reading, notes, words, tags or reasons of which pupils, on a page, in a list or in a file, how often on which day, and whether it was our support team',
    whose: ['pupils', 'staff'],
    purpose: 'To find out who saw what about a child',
    recipients: 'Admins of the school. Our support team while it helps the school.',
    exported: { shown: 'On the page of each pupil, for admins' },
    erased: WITH_PUPIL,
  },
} as const satisfies Record<string, Holding>;
