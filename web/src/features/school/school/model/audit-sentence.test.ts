import { expect, it } from 'vitest';
import type { AuditEntry } from '#contract/calls/school.ts';
import { auditSentence } from './audit-sentence.ts';

const sentenceOf = (action: string, details: AuditEntry['details'] = {}, changes: Partial<AuditEntry> = {}) =>
  auditSentence(
    {
      id: 1,
      at: '2026-11-21T09:30:00.000Z',
      actor: null,
      impersonator: null,
      program: null,
      action,
      subject_kind: 'class',
      subject_id: '5',
      pupils: null,
      details,
      ...changes,
    },
    (id) => `staff ${id}`,
  );

it.each([
  ['class_renamed', { from: 'Owls', to: 'Wrens' }, 'renamed the class Owls to Wrens'],
  ['class_deleted', { name: 'Owls', pupils: 1 }, 'deleted the class Owls, which had 1 pupil'],
  ['teacher_removed', { name: 'Owls', teacher: 'Tom Ford' }, 'removed Tom Ford from Owls'],
  [
    'teacher_assigned',
    { name: 'Owls', teacher: 'a former colleague (no. 12)' },
    'put a former colleague (no. 12) in charge of Owls',
  ],
  [
    'admin_requested',
    { teachers: ['Ben Marsh'] },
    'asked support to make staff 5 an admin, because Ben Marsh has left',
  ],
  [
    'admin_requested',
    { teachers: ['Ben Marsh', 'Eve Marsh'] },
    'asked support to make staff 5 an admin, because Ben Marsh and Eve Marsh have left',
  ],
  [
    'admin_appointed',
    { teachers: ['Ben Marsh'], classes: 0 },
    'staff 5 was made an admin by support, and Ben Marsh, who has left, was removed',
  ],
  [
    'admin_appointed',
    { teachers: ['Ben Marsh', 'Eve Marsh'], classes: 0 },
    'staff 5 was made an admin by support, and Ben Marsh and Eve Marsh, who have left, were removed',
  ],
  ['teacher_assigned', {}, 'put a colleague in charge of a class, deleted (no. 5)'],
  [
    'cover_started',
    { name: 'Kingfishers', teacher: 'Priya Shah', until: '2026-11-27T15:30:00.000Z' },
    'let Priya Shah cover Kingfishers until Friday 27 November at 15:30',
  ],
  ['cover_started', {}, 'let a colleague cover a class, deleted (no. 5)'],
  [
    'cover_card_made',
    { name: 'Kingfishers', teacher: 'Priya Shah' },
    'made a card for Priya Shah, who covers Kingfishers',
  ],
  ['cover_ended', { name: 'Kingfishers', teacher: 'Priya Shah' }, 'ended the cover of Kingfishers by Priya Shah'],
  [
    'cover_code_reused',
    { name: 'Kingfishers', teacher: 'Priya Shah' },
    'the used code of Priya Shah was entered again, so the cover of Kingfishers ended',
  ],
  ['teacher_invited', { invited: 'tom@school.example' }, 'invited tom@school.example'],
  ['role_changed', { role: 'business_manager' }, 'changed the role of staff 5 to Business manager'],
  ['program_made', { name: 'Data warehouse' }, 'made a token for the program Data warehouse'],
  ['program_changed', { name: 'Data warehouse' }, 'changed the program Data warehouse'],
  ['program_confirmed', { name: 'Data warehouse' }, 'confirmed the program Data warehouse'],
  ['program_revoked', { name: 'Data warehouse' }, 'revoked the program Data warehouse'],
  [
    'program_ended',
    { name: 'Data warehouse', reason: 'expired' },
    'the program Data warehouse ended, because its time was up',
  ],
  [
    'program_ended',
    { name: 'Data warehouse', reason: 'not_confirmed' },
    'the program Data warehouse ended, because no admin confirmed it',
  ],
  [
    'program_ended',
    { name: 'Data warehouse', reason: 'school_closed' },
    'the program Data warehouse ended, because the school closed',
  ],
  ['teacher_invited', {}, 'invited someone whose invitation has been deleted'],
  ['invoice_credited', {}, 'credited invoice no. 5'],
  ['impersonation_started', { reason: 'Reports are empty' }, 'logged in as staff 5: Reports are empty'],
  ['impersonation_started', {}, 'logged in as staff 5'],
  ['days_off_changed', { year: '2026/27', days: 1 }, 'set 1 day without school in 2026/27'],
  [
    'school_changed',
    { from: { names_in_emails: 'initial' }, to: { names_in_emails: 'none' } },
    'set names in emails to no names',
  ],
  ['school_changed', { from: { recording_enabled: false }, to: { recording_enabled: true } }, 'enabled recordings'],
  [
    'school_changed',
    { from: { name: 'A', urn: null }, to: { name: 'B', urn: null } },
    "changed the school's name to B",
  ],
  [
    'school_changed',
    { from: { urn: null, local_authority: null }, to: { urn: '123456', local_authority: 'Leeds' } },
    "changed the school's URN to 123456 and local authority to Leeds",
  ],
  [
    'school_records_applied_nightly',
    { joiners: 2, movers: 1 },
    'added 2 pupils and changed the class of 1 pupil, in the nightly check of school records',
  ],
  [
    'school_records_connection_changed',
    { is_paused: true, is_automatic: false },
    'changed the connection of school records: paused, everything waits for an administrator',
  ],
  [
    'school_records_connection_changed',
    { is_paused: false, is_automatic: true, school: 'Oak Nursery' },
    'changed the connection of school records: checked every night, joiners and changes of class without asking, pupils of Oak Nursery',
  ],
  ['school_records_connection_saved', { host: 'mis.example' }, 'saved the connection of school records to mis.example'],
  ['invoice_issued', { number: 'INV-000042', total: 59_400 }, 'issued invoice INV-000042 for £594.00'],
  ['logged_in', {}, 'logged in'],
  ['logged_in', { factor: 'passkey' }, 'logged in with a passkey'],
  ['import_columns_chosen', { columns: 2 }, 'chose what 2 columns of a spreadsheet mean'],
  ['account_changed', { fields: ['email', 'password'] }, 'changed their own email, password'],
])('the audit log describes %s in a sentence', (action, details, sentence) => {
  expect(sentenceOf(action, details)).toBe(sentence);
});

const some = (total: number, ...names: (string | null)[]) => ({
  pupils: { total, first: names.map((name, index) => ({ id: index + 41, name })) },
});

it.each<[string, AuditEntry['details'], Partial<AuditEntry>, string]>([
  ['pupils_created', {}, some(5, 'Ada', 'Bob', 'Cat'), 'added 5 pupils: Ada, Bob, Cat and 2 more'],
  ['pupils_moved', { from: null, to: 'Owls' }, some(1, 'Ada'), 'moved 1 pupil: Ada to Owls'],
  ['passwords_reset', {}, some(2, 'Ada', null), 'reset the passwords of 2 pupils: Ada, a pupil, deleted (no. 42)'],
  ['books_assigned', { books: 1 }, some(1, 'Ada'), 'assigned 1 book to Ada'],
  ['books_removed', { books: 2 }, some(2, 'Ada', 'Bob'), 'removed 2 books from 2 pupils: Ada, Bob'],
  ['pupil_renamed', {}, some(1, null), 'renamed a pupil, deleted (no. 41)'],
  [
    'subject_request_opened',
    {},
    { ...some(1, 'Ada'), subject_kind: 'pupil' },
    'recorded a subject access request about Ada',
  ],
  [
    'subject_request_opened',
    { kind: 'objection' },
    { ...some(1, 'Ada'), subject_kind: 'pupil' },
    'recorded an objection to the use of data about Ada',
  ],
  [
    'subject_step_recorded',
    { kind: 'access', step: 'extended', on: '2026-11-18' },
    { ...some(1, 'Ada'), subject_kind: 'pupil' },
    'recorded for the subject access request about Ada: the person was told about an extension by two months on 18 November 2026',
  ],
  [
    'subject_step_undone',
    { kind: 'complaint', step: 'acknowledged', on: '2026-11-18' },
    { ...some(1, 'Ada'), subject_kind: 'pupil' },
    'removed from the complaint about the use of data about Ada, as recorded by mistake: the complaint was acknowledged on 18 November 2026',
  ],
  [
    'subject_request_closed',
    { kind: 'complaint', outcome: 'not_released' },
    { ...some(1, 'Ada'), subject_kind: 'pupil' },
    'closed the complaint about the use of data about Ada',
  ],
  [
    'subject_request_closed',
    { outcome: 'not_released' },
    { subject_kind: 'user', subject_id: '7' },
    'closed the subject access request about staff 7 without release',
  ],
  [
    'subject_file_downloaded',
    {},
    { subject_kind: 'user', subject_id: '7' },
    'downloaded the subject access file about staff 7',
  ],
  ['pupil_deleted', { class: 'Owls' }, { subject_id: '41' }, 'deleted a pupil (no. 41) of Owls'],
])('the audit log describes %s with the current names of pupils', (action, details, changes, sentence) => {
  expect(sentenceOf(action, details, changes)).toBe(sentence);
});

it('the audit log names a deleted member of staff, and shows an unknown action in words', () => {
  expect(sentenceOf('teacher_removed', { role: 'teacher' }, { subject_kind: 'user', subject_id: '7' })).toBe(
    'deleted staff 7 from the school',
  );
  expect(
    sentenceOf('teacher_removed', { role: 'teacher', handed_over: 2 }, { subject_kind: 'user', subject_id: '7' }),
  ).toBe('deleted staff 7 from the school, and handed over 2 classes');
  expect(sentenceOf('something_new')).toBe('something new');
});
