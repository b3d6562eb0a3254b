import { type Holding, NO_ONE, STAFF_AND_SUPPORT } from './holding.registry.ts';

/** Data about the school as a whole: its years, records, billing, and requests about its data. */
export const SCHOOL_HOLDINGS = {
  runs: {
    title: 'Lists of pupils, school records and year ends',
    contents:
      'Names, classes and year groups of pupils before and after each list, file, check or year end, the names of classes and the IDs of their teachers, how many were changed, by whom, and the name of a list’s file',
    whose: ['pupils', 'staff', 'school'],
    purpose: 'To undo a mistake, and to show what was changed',
    recipients: STAFF_AND_SUPPORT,
    exported: { shown: 'On the screens School records, Lists of pupils and Year end' },
    erased: 'The period, or erasing the pupil',
  },
  'school-records': {
    title: 'School records',
    contents:
      'Which pupil and class has which ID in the management information system, the name and class from there, when it last named a member of staff and that they stay without it, keyed digests of the UPN and the date of birth, and the address of the school’s server with the encrypted credentials',
    whose: ['pupils', 'staff', 'school'],
    purpose: 'To keep pupils and classes up to date',
    legal: 'UPNs are used for matching only. The digest is deleted when the pupil leaves.',
    recipients: 'Admins of the school. Our support team.',
    exported: { shown: 'On the School records screen' },
    erased: 'Removing the source, or erasing the pupil or former member of staff',
    kept: 'Until the pupil or former member of staff is erased',
  },
  school: {
    title: 'School and contacts',
    contents:
      'Name, URN, nation, settings, term dates and days without school, what columns of spreadsheets mean, sign-in providers, who asked to close the school or to appoint an admin, with what they and support noted; name, address, telephone and email of the school’s contacts',
    whose: ['school', 'staff'],
    purpose: 'To provide the portal and send invoices',
    recipients: STAFF_AND_SUPPORT,
    exported: { shown: 'On the School screen' },
    erased: 'Closing the school',
    kept: 'Until the school is erased',
  },
  programs: {
    title: 'Programs with a token',
    contents:
      'Name, what the program can do and in which classes, who made it and who answers for it, when it was last used, a keyed digest of the network of the last use, and a hash of the token',
    whose: ['school', 'staff'],
    purpose: 'To let other programs use the data of the school, and to name them in Changes and in Who looked',
    recipients: 'Admins of the school. Our support team.',
    exported: 'programs.xlsx',
    erased: 'The period',
    kept: 'Until the program ends',
  },
  tablets: {
    title: 'Tablets that send reading',
    contents:
      'An ID that the reading app makes, the last contact, how wrong the clock is, and the class of the pupil whose reading was sent last; not who read',
    whose: ['school'],
    purpose: 'To show staff which tablets have a wrong clock',
    recipients: STAFF_AND_SUPPORT,
    exported: { shown: 'On the Tablets screen' },
    erased: 'The period',
  },
  'trusted-networks': {
    title: 'Networks where pupils log in',
    contents:
      'A keyed digest that recognises the network, the same for everyone there, and the last login of any pupil',
    whose: ['school'],
    purpose: 'To let pupils log in at school while someone elsewhere guesses their passwords',
    recipients: NO_ONE,
    exported: { shown: 'Nowhere: digests mean nothing to people' },
    erased: 'The period',
  },
  billing: {
    title: 'Subscription, invoices and payments',
    contents: 'What was bought by which school, prices, payment dates and references',
    whose: ['school', 'company'],
    purpose: 'To charge the school and keep accounts',
    legal: 'Tax law requires invoices to be kept for six years. They name no pupil.',
    recipients: 'Admins of the school. Our accounts team. Our payment provider, if the school pays by card.',
    exported: { shown: 'On the Subscription screen, with a download' },
    erased: 'We do, after the time the law requires',
    kept: 'Until the school is erased, and for at least six years',
  },
  erasures: {
    title: 'Receipts of erasures',
    contents:
      'That a pupil, a former member of staff or the school was erased, when, how many rows, and a keyed digest. No name.',
    whose: ['school'],
    purpose: 'To prove an erasure, and to repeat it after a backup is restored',
    recipients: 'Admins of the school. Our support team.',
    exported: { shown: 'On this screen, as PDF files' },
    erased: 'Closing the school',
    kept: 'Until the school is erased',
  },
  'subject-requests': {
    title: 'Requests and complaints about data',
    contents:
      'Who asked for what about whose data, how identity was checked, dates, what the person was told, decisions about notes, downloads, and the encrypted file',
    whose: ['pupils', 'staff'],
    purpose: 'To answer requests within the time the law sets, and show that it was done',
    legal:
      'The UK GDPR gives everyone an answer about their data within a month, and the Data Protection Act one to a complaint.',
    recipients: 'Admins of the school.',
    exported: { shown: 'On Requests and complaints' },
    erased: 'Erasing the pupil or account closes the request and deletes its file, the requester’s name and all notes',
    kept: 'While the request is open',
  },
  retention: {
    title: 'Periods and what was removed',
    contents: 'The shorter periods that the school chose, and how many rows each night removed',
    whose: ['school'],
    purpose: 'To keep data no longer than needed, and show that it is so',
    recipients: 'Admins of the school. Our support team.',
    exported: { shown: 'On this screen' },
    erased: 'Closing the school',
  },
  terms: {
    title: 'Accepted terms',
    contents: 'Which version was accepted, by which user, when',
    whose: ['school', 'staff'],
    purpose: 'To prove the agreement',
    recipients: STAFF_AND_SUPPORT,
    exported: { shown: 'On the School screen' },
    erased: 'Closing the school',
    kept: 'Until the school is erased',
  },
} as const satisfies Record<string, Holding>;
