import { accessCalls } from '#contract/calls/access.ts';
import { bookCalls } from '#contract/calls/books.ts';
import { chartCalls } from '#contract/calls/charts.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { readingCalls } from '#contract/calls/reading.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { beforeAll, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { CONTACT, PASSWORD } from '../testing/builder.ts';

const app = testApp();
const DATES = { start_date: '2026-11-16', end_date: '2026-11-18' };

/** One reply of each kind, by its entity. */
const replies: Record<string, unknown> = {};

beforeAll(async () => {
  const school = await app.build.school();
  const { token } = school.admin;
  const params = { id: school.id };
  const inClass = { ...params, groupId: school.ownClass.id };
  const ofPupil = { ...params, readerId: school.ownClass.pupils[0]?.id ?? 0 };
  await app.build.invite(school);
  await app.build.reading(school, ofPupil.readerId, [{}]);
  await app.call(schoolDetailsCalls.updateContact, { token, params, body: { contact: CONTACT } });

  const login = await app.call(accessCalls.logIn, { body: { email: school.teacher.email, password: PASSWORD } });
  const found = (await app.call(schoolCalls.getSchool, { token, params })).reply.enterprise;
  const chart = { name: 'readers_accuracy_by_reading_level', ...DATES } as const;
  const summary = (await app.call(readingCalls.getPupilSummary, { token, params: ofPupil })).reply;
  Object.assign(replies, {
    login: login.reply.meta,
    user: login.reply.user,
    'school of a user': login.reply.user.enterprise,
    school: found,
    contact: found.contacts[0],
    setup: found.setup,
    teacher: found.users[0],
    'class in a list': found.groups[0],
    invite: (await app.call(inviteCalls.listInvites, { token, params })).reply.invites[0],
    class: (await app.call(classCalls.getClass, { token, params: inClass })).reply.group,
    pupil: (await app.call(pupilCalls.getPupil, { token, params: ofPupil })).reply.reader,
    'books of a class': (await app.call(bookCalls.listClassBooks, { token, params: inClass })).reply.meta,
    book: (await app.call(bookCalls.listBooksForPupil, { token, params: ofPupil })).reply.books[0],
    summary,
    'reading session': summary.reading_sessions[0],
    chart: (await app.call(chartCalls.getChart, { token, query: chart })).reply.chart,
  });
});

test.each([
  ['login', 'token'],
  ['user', 'email full_name first_name last_name enterprise enterprise_user_role weekly_school_digest_optin_at'],
  ['school of a user', 'id name'],
  ['school', 'id name urn type groups users user_manages can_enable_recordings recording_enabled contacts setup'],
  [
    'contact',
    'contact_name job_role address_line_1 address_line_2 address_line_3 address_line_4 postcode country_code telephone email',
  ],
  ['setup', 'has_setup_teachers has_setup_classes has_setup_pupils has_setup_assigned_books has_chart_data'],
  ['teacher', 'id first_name last_name user_manages enterprise_user_role'],
  ['invite', 'id email name status created_at expires_at inviter inviter.first_name inviter.last_name'],
  ['class in a list', 'id name readers_count assigned_book_count manager manager_id user_manages'],
  ['class', 'id name readers_count assigned_book_count manager manager_id readers user_manages'],
  ['pupil', 'id name group can_update'],
  ['books of a class', 'reader_name'],
  [
    'book',
    'id title description cover_image reading_level collection_key tags tags.0.id tags.0.text pages_count is_assigned is_assigned_via_group is_assigned_to_reader assigned_via',
  ],
  [
    'summary',
    'total_reading_time average_reading_time books_completed books_in_progress books_not_started reading_sessions',
  ],
  [
    'reading session',
    'id book_id book_title date reading_time total_reading_time accuracy range_progressive_accuracy has_completed_book words_correct_per_minute last_page heatmap played_words skipped_words',
  ],
  ['chart', 'labels series average total'],
])('a reply contains the specified fields of: %s', (entity, fields) => {
  for (const field of fields.split(' ')) expect(replies[entity]).toHaveProperty(field);
});
