import { readFileSync } from 'node:fs';
import { accessCalls } from '#contract/calls/access.ts';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { eventCounts } from '../../../logging/event-counts.ts';
import { testApp } from '../../../testing/app.ts';
import { dumpDatabase } from '../../../testing/dump.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp({ PUBLIC_URL: 'https://portal.test.example' });
const UNKNOWN = '5f0c1c1e-0000-4000-8000-000000000000';
let counter = 0;
const newEmail = () => `colleague-${(counter += 1)}@test.example`;

beforeEach(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  await app.runJobs();
  app.mails.length = 0;
});

const ANY_ID = expect.stringMatching(/^[\da-f-]{36}$/) as string;

const send = (school: BuiltSchool, email: string[], name: string[] = []) =>
  app.call(inviteCalls.sendInvites, { token: school.admin.token, params: { id: school.id }, body: { email, name } });
const list = async (school: BuiltSchool) =>
  (await app.call(inviteCalls.listInvites, { token: school.admin.token, params: { id: school.id } })).reply.invites;
/** The token of the link in the latest mail to an address. */
const linkIn = (email: string): string =>
  /invite\/([\w-]+)/.exec(app.mails.findLast(({ recipient }) => recipient === email)?.text ?? '')?.[1] ?? '';
const open = (inviteId: string) => app.call(inviteCalls.getInvite, { params: { inviteId } });
const accept = (token: string, inviteId: string) => app.call(inviteCalls.acceptInvite, { token, params: { inviteId } });
const decline = (inviteId: string) => app.call(inviteCalls.declineInvite, { params: { inviteId } });
const actionsOf = async (school: BuiltSchool) =>
  (
    await app.call(schoolCalls.listAuditLog, { token: school.admin.token, params: { id: school.id } })
  ).reply.entries.map(({ action }) => action);

/** An account created by following an invite to an address. */
async function newcomer(email: string, user_type: 'enterprise' | 'standard' = 'enterprise') {
  const body = { first_name: 'Robin', last_name: 'Newcomer', email, password: 'kite harbour 7', user_type };
  const { reply } = await app.call(accessCalls.register, { body });
  return { id: reply.user.id, token: reply.meta.token };
}
const userOf = async (token: string) => (await app.call(accessCalls.getMe, { token })).reply.user;

describe('sending invites', () => {
  test('the template for teachers invites those who are written into it, and not its example', async () => {
    const school = await app.build.school();
    const { bytes } = await app.call(downloadCalls.getTemplate, { params: { name: 'teachers.xlsx' } });
    const { error } = await app.call(inviteCalls.sendInvites, {
      token: school.admin.token,
      params: { id: school.id },
      file: { name: 'teachers.xlsx', content: bytes },
    });
    expect(error).toMatchObject({
      code: 'file_not_understood',
      error: 'This file has only the example of the template. Write the addresses of your staff into it.',
    });
    const email = newEmail();
    const { reply } = await app.call(inviteCalls.sendInvites, {
      token: school.admin.token,
      params: { id: school.id },
      file: { name: 'teachers.csv', content: `Email,Name\namara.bell@school.example,Amara Bell\n${email},Ada Baker` },
    });
    expect(reply).toEqual({
      sent: [{ id: ANY_ID, email, name: 'Ada Baker', is_held: false, works_elsewhere: false }],
      failed: [],
    });
  });

  test('sending invites mails each address a link, leaves out empty rows and reports what failed', async () => {
    const school = await app.build.school({ name: 'Mill & <b>Lane</b>' });
    const pending = await app.build.invite(school);
    const [first, second] = [newEmail(), newEmail()];
    const emails = [
      first,
      '',
      '  ',
      second,
      first.toUpperCase(),
      'not an address',
      school.teacher.email,
      pending.email,
    ];
    const { status, reply } = await send(school, emails, ['Ada <i>', '', 'Stranger', '']);
    expect(status).toBe(200);
    expect(reply.sent).toEqual([
      { id: ANY_ID, email: first, name: 'Ada <i>', is_held: false, works_elsewhere: false },
      { id: ANY_ID, email: second, name: '', is_held: false, works_elsewhere: false },
    ]);
    expect(reply.failed.map(({ email, error }) => [email, error])).toEqual([
      [first.toUpperCase(), 'This email is in the list twice.'],
      ['not an address', 'Enter an email address such as name@school.sch.uk.'],
      [school.teacher.email, 'This person is a member of your school already.'],
      [pending.email, 'This person has an invitation already. Resend it from the list of invitations.'],
    ]);

    await app.runJobs();
    expect(app.mails.map(({ recipient }) => recipient).sort()).toEqual([first, second].sort());
    const invite = (await list(school)).find(({ email }) => email === first);
    expect(invite).toMatchObject({
      status: 'pending',
      inviter: { id: school.admin.id, first_name: 'Morgan', last_name: 'Admin' },
      expires_at: '2026-12-02T12:00:00.000Z',
    });
    const mail = app.mails.find(({ recipient }) => recipient === first);
    const link = linkIn(first);
    expect(mail?.text).toContain(`https://portal.test.example/invite/${link}`);
    expect((await open(link)).reply.invite.email).toBe(first);
    // What the school can see gives no access.
    expect(link).not.toBe(invite?.id);
    expect((await open(invite?.id ?? '')).status).toBe(404);
    expect(mail?.html).toContain('Mill &amp; &lt;b&gt;Lane&lt;/b&gt;');
    expect(mail?.html).not.toContain('<b>Lane');
    expect(mail?.subject).toBe('Morgan Admin invites you to Mill & <b>Lane</b> on Storylark');
    expect(await actionsOf(school)).toEqual(['teacher_invited', 'teacher_invited']);
  });

  test.each([
    [
      'with headers, columns in any order',
      'Surname,Role,Email address,First name\nBaker,Head,ADA,Ada\n,,, \nKhan,Teacher,MINA,Mina\nNobody,Teacher,,No',
    ],
    ['without headers', 'Ada Baker,ADA\nMina Khan,MINA\n'],
    ['with semicolons and a title above', 'Our teachers\nTeacher;E-Mail\nAda Baker;ADA\nMina Khan;MINA\n'],
  ])('invites are read from a file %s', async (_, text) => {
    const school = await app.build.school();
    const [ada, mina] = [newEmail(), newEmail()];
    const content = text.replace('ADA', ada).replace('MINA', mina);
    const { status, reply } = await app.call(inviteCalls.sendInvites, {
      token: school.admin.token,
      params: { id: school.id },
      file: { name: 'teachers.csv', content },
    });
    expect({ status, reply }).toEqual({
      status: 200,
      reply: {
        sent: [
          { id: ANY_ID, email: ada, name: 'Ada Baker', is_held: false, works_elsewhere: false },
          { id: ANY_ID, email: mina, name: 'Mina Khan', is_held: false, works_elsewhere: false },
        ],
        failed: [],
      },
    });
  });

  test.each([
    ['teachers.pdf', '%PDF-1.7', 'file_wrong_type'],
    ['teachers.csv', '', 'file_empty'],
    ['teachers.csv', 'Name\nAda Baker\nMina Khan\n', 'file_not_understood'],
    [
      'teachers.csv',
      Array.from({ length: 201 }, (_, index) => `t${index}@test.example`).join('\n'),
      'file_too_many_rows',
    ],
  ])('sending invites says why %s with %j cannot be read', async (name, content, code) => {
    const school = await app.build.school();
    const { error } = await app.call(inviteCalls.sendInvites, {
      token: school.admin.token,
      params: { id: school.id },
      file: { name, content },
    });
    expect(error.code).toBe(code);
    expect(await list(school)).toEqual([]);
  });

  test('an invitation takes no host name from the request', async () => {
    const school = await app.build.school();
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    await app.call(inviteCalls.sendInvites, {
      token: school.admin.token,
      params: { id: school.id },
      body: { email: [newEmail()] },
      headers,
    });
    await app.runJobs();
    expect(app.mails).toHaveLength(1);
    expect(JSON.stringify(app.mails)).not.toContain('evil.example');
  });

  test('an address is invited once when several requests arrive together', async () => {
    const school = await app.build.school();
    const email = newEmail();
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(school, [email])));
    expect(answers.flatMap(({ reply }) => reply.sent)).toHaveLength(1);
    expect(answers.flatMap(({ reply }) => reply.failed)).toHaveLength(3);
    expect(await list(school)).toHaveLength(1);
  });

  test('sending invites does not reveal whether an address has an account elsewhere', async () => {
    const { school, otherSchool } = await app.build.twoSchools();
    expect((await send(school, [otherSchool.teacher.email])).reply.failed).toEqual([]);
  });

  test.each([
    [{}],
    [{ email: 'a@test.example' }],
    [{ email: [['a@test.example']] }],
    [{ email: [{ a: 1 }] }],
    [{ email: [7] }],
    [{ email: ['a@test.example'], name: 'Ada' }],
    [{ email: Array.from({ length: 201 }, () => 'a@test.example') }],
  ])('rejects the invites %j', async (payload) => {
    const school = await app.build.school();
    const { status } = await app.ask('POST', `/enterprises/${school.id}/invites`, {
      token: school.admin.token,
      payload,
    });
    expect(status).toBe(422);
    expect(await list(school)).toEqual([]);
  });

  test('an invitation contains no link hidden in a name', async () => {
    const school = await app.build.school();
    const { reply } = await send(school, [newEmail()], ['Win at www.prizes.example']);
    expect(reply).toMatchObject({
      sent: [],
      failed: [{ error: 'A name cannot contain a web or email address. Put a space after each full stop.' }],
    });
  });
});

describe('links of invites', () => {
  test('the link of an invite shows the invite to a guest', async () => {
    const school = await app.build.school();
    const { link, email } = await app.build.invite(school);
    expect((await open(link)).reply.invite).toEqual({
      id: link,
      status: 'pending',
      email,
      name: 'Robin Newcomer',
      expires_at: '2026-12-02T12:00:00.000Z',
      created_at: '2026-11-18T12:00:00.000Z',
      enterprise: { name: school.name },
      role: 'teacher',
      sign_in_providers: [],
    });
    expect((await open(link.toUpperCase())).status).toBe(200);
  });

  test.each([[UNKNOWN], ['1'], ['x'.repeat(400)], ['null'], ["' or 1=1"]])(
    'opening, declining and accepting the invite %s answer 404',
    async (inviteId) => {
      expect((await open(inviteId)).status).toBe(404);
      expect((await decline(inviteId)).status).toBe(404);
      const { token } = await app.build.person('standard');
      expect((await accept(token, inviteId)).status).toBe(404);
    },
  );

  test('resending an invite replaces its link: the old one says so, the new one is valid for 14 more days', async () => {
    const school = await app.build.school();
    const { id, link, email } = await app.build.invite(school);
    app.setTime('2026-12-03T12:00:00.000Z');
    expect((await open(link)).reply.invite.status).toBe('expired');
    const { reply } = await app.call(inviteCalls.resendInvite, {
      token: school.admin.token,
      params: { id: school.id, inviteId: id },
    });
    expect(reply.invite).toMatchObject({ email, status: 'pending', expires_at: '2026-12-17T12:00:00.000Z' });
    expect((await open(link)).error.error).toBe(
      'A newer invitation was sent on 3 December 2026. Use the link in that email.',
    );
    // A second one, before the mail of the first is delivered: that mail would contain a link that no longer works.
    await app.call(inviteCalls.resendInvite, {
      token: school.admin.token,
      params: { id: school.id, inviteId: reply.invite.id },
    });
    await app.runJobs();
    expect(app.mails.map(({ recipient }) => recipient)).toEqual([email]);
    const renewed = linkIn(email);
    expect((await open(renewed)).reply.invite.status).toBe('pending');
    const person = await newcomer(email);
    expect([(await accept(person.token, link)).status, (await accept(person.token, renewed)).status]).toEqual([
      409, 200,
    ]);
  });

  test('a pending invite can be deleted, and its link answers 404 afterwards', async () => {
    const school = await app.build.school();
    const { id, link } = await app.build.invite(school);
    const erase = () =>
      app.call(inviteCalls.removeInvite, { token: school.admin.token, params: { id: school.id, inviteId: id } });
    expect((await erase()).status).toBe(200);
    expect([(await open(link)).status, (await erase()).status]).toEqual([404, 404]);
    expect(await actionsOf(school)).toEqual(['invite_deleted']);
  });

  test('the invites of a list are deleted at once, and those whom someone has accepted stay', async () => {
    const school = await app.build.school();
    const other = await app.build.invite(await app.build.school());
    const [ada, mina, tom] = [newEmail(), newEmail(), newEmail()];
    const { sent } = (await send(school, [ada, mina, tom])).reply;
    await app.runJobs();
    const { token } = await newcomer(mina);
    await accept(token, linkIn(mina));
    const remove = () =>
      app.call(inviteCalls.removeInvites, {
        token: school.admin.token,
        params: { id: school.id },
        body: { invites: [...sent.map(({ id }) => id), other.id] },
      });
    const [first, second, third] = sent.map(({ id }) => id);
    const { reply } = await remove();
    expect(reply.removed.toSorted()).toEqual([first, third].toSorted());
    expect(reply.kept).toEqual([{ id: second, status: 'accepted' }]);
    expect((await list(school)).map(({ id }) => id)).toEqual([second]);
    expect([(await open(linkIn(ada))).status, (await open(linkIn(tom))).status]).toEqual([404, 404]);
    expect((await open(other.link)).status).toBe(200);
    expect((await actionsOf(school)).filter((action) => action === 'invite_deleted')).toHaveLength(2);
    expect((await remove()).reply).toEqual({ removed: [], kept: [{ id: second, status: 'accepted' }] });
    const links = app.database.kysely.selectFrom('invite_links').select('invite_id').where('school_id', '=', school.id);
    expect((await links.execute()).map((row) => row.invite_id)).not.toContain(first);
  });

  test('deleting and accepting an invite at the same time have one result', async () => {
    for (let time = 0; time < 5; time += 1) {
      const school = await app.build.school();
      const { id, link, email } = await app.build.invite(school);
      const { token } = await newcomer(email);
      const [accepted, deleted] = await Promise.all([
        accept(token, link),
        app.call(inviteCalls.removeInvites, {
          token: school.admin.token,
          params: { id: school.id },
          body: { invites: [id] },
        }),
      ]);
      const isDeleted = deleted.reply.removed.length === 1;
      expect(accepted.status === 200).toBe(!isDeleted);
      expect((await userOf(token)).enterprise === null).toBe(isDeleted);
    }
  });

  test('an expired invite makes way for a new one', async () => {
    const school = await app.build.school();
    const { email } = await app.build.invite(school);
    app.setTime('2026-12-02T12:00:00.000Z');
    expect((await send(school, [email])).reply.sent).toHaveLength(1);
    const invites = await list(school);
    expect(invites.map(({ status }) => status)).toEqual(['pending', 'expired']);
    const old = await app.call(inviteCalls.resendInvite, {
      token: school.admin.token,
      params: { id: school.id, inviteId: invites[1]?.id ?? '' },
    });
    expect(old).toMatchObject({ status: 409, error: { code: 'invite_pending' } });
  });
});

describe('accepting invites', () => {
  test('accepting an invite makes the account a teacher of the school', async () => {
    const school = await app.build.school();
    const { id, link, email } = await app.build.invite(school, newEmail().toUpperCase());
    const person = await newcomer(email.toLowerCase());
    expect((await accept(person.token, link)).status).toBe(200);
    expect(await userOf(person.token)).toMatchObject({
      user_type: 'enterprise',
      enterprise: { id: school.id },
      enterprise_user_role: 'teacher',
    });
    expect((await open(link)).reply.invite.status).toBe('accepted');
    expect(await actionsOf(school)).toEqual(['invite_accepted']);
    for (const call of [inviteCalls.resendInvite, inviteCalls.removeInvite])
      expect(
        await app.call(call, { token: school.admin.token, params: { id: school.id, inviteId: id } }),
      ).toMatchObject({ status: 409, error: { code: 'invite_accepted' } });
    await app.call(teacherCalls.removeTeacher, {
      token: school.admin.token,
      params: { id: school.id, userId: person.id },
    });
    expect(
      (await app.call(accessCalls.logIn, { body: { email, password: 'kite harbour 7' } })).reply.user.enterprise,
    ).toBeNull();
  });

  test('accepting an invite deletes the profiles of a standard account except the demo', async () => {
    const school = await app.build.school();
    const { link, email } = await app.build.invite(school);
    const person = await newcomer(email, 'standard');
    const profiles = ['child', 'demo', 'child'].map((type) => ({ user_id: person.id, name: 'Sam', type }));
    await app.database.kysely.insertInto('own_readers').values(profiles).execute();
    await accept(person.token, link);
    expect((await userOf(person.token)).readers.map(({ type }) => type)).toEqual(['demo']);
  });

  test('one of fifty simultaneous requests accepts an invite', async () => {
    const school = await app.build.school();
    const { link, email } = await app.build.invite(school);
    const { token } = await newcomer(email);
    const answers = await Promise.all(Array.from({ length: 50 }, () => accept(token, link)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 409,
      error: { code: 'invite_accepted' },
    });
  });

  test('accepting and declining an invite at the same time have one result', async () => {
    for (let time = 0; time < 5; time += 1) {
      const school = await app.build.school();
      const { link, email } = await app.build.invite(school);
      const { token } = await newcomer(email);
      const [accepted, declined] = await Promise.all([accept(token, link), decline(link)]);
      expect([accepted.status, declined.status].sort()).toEqual([200, 409]);
      expect((await userOf(token)).enterprise === null).toBe(declined.status === 200);
    }
  });

  test('only the invited address can accept an invite', async () => {
    const school = await app.build.school();
    const { link } = await app.build.invite(school);
    const { token } = await newcomer(newEmail());
    expect(await accept(token, link)).toMatchObject({ status: 409, error: { code: 'invite_for_another' } });
    expect((await open(link)).reply.invite.status).toBe('pending');
    expect((await userOf(token)).enterprise).toBeNull();
  });

  test('of two simultaneous acceptances for one school one succeeds, and for two schools both', async () => {
    const { school, otherSchool } = await app.build.twoSchools();
    const email = newEmail();
    const [first, second] = [await app.build.invite(school, email), await app.build.invite(otherSchool, email)];
    const { token } = await newcomer(email);
    const answers = await Promise.all([accept(token, first.link), accept(token, second.link)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await userOf(token)).memberships).toHaveLength(2);
    const third = await app.build.school();
    const { link } = await app.build.invite(third, email);
    const again = await Promise.all([accept(token, link), accept(token, link)]);
    expect(again.map(({ status, error }) => (status === 200 ? 200 : error.code)).sort()).toEqual([
      200,
      'invite_accepted',
    ]);
  });

  test.each([
    [
      'expired',
      'invite_expired',
      async (_link: string, at: (timestamp: string) => void) => at('2026-12-02T12:00:00.000Z'),
    ],
    ['declined', 'invite_declined', (link: string) => decline(link)],
  ])('an invite that is %s says so, as does declining it', async (_, code, spoil) => {
    const school = await app.build.school();
    const { id, link, email } = await app.build.invite(school);
    await spoil(link, app.setTime);
    const { token } = await newcomer(email);
    expect(await accept(token, link)).toMatchObject({ status: 409, error: { error_type: 'conflict', code } });
    expect(await decline(link)).toMatchObject({ status: 409, error: { code } });
    expect(
      await app.call(inviteCalls.removeInvite, { token: school.admin.token, params: { id: school.id, inviteId: id } }),
    ).toMatchObject({ status: 409, error: { code } });
    expect((await userOf(token)).enterprise).toBeNull();
  });
});

describe('declining invites', () => {
  test('declining an invite only needs the link, is logged, and prevents resending', async () => {
    const school = await app.build.school();
    const { id, link } = await app.build.invite(school);
    expect((await decline(link)).status).toBe(200);
    expect((await open(link)).reply.invite.status).toBe('declined');
    expect(await actionsOf(school)).toEqual(['invite_declined']);
    expect(
      (await app.call(inviteCalls.resendInvite, { token: school.admin.token, params: { id: school.id, inviteId: id } }))
        .status,
    ).toBe(409);
  });
});

describe('a list of staff', () => {
  const preview = (school: BuiltSchool, content: string) =>
    app.call(inviteCalls.previewInvites, {
      token: school.admin.token,
      params: { id: school.id },
      file: { name: 'staff.csv', content },
    });

  test('a list is read without inviting anyone, with a doubt about those who are known or not staff', async () => {
    const school = await app.build.school();
    const pending = await app.build.invite(school);
    const email = newEmail();
    const { reply } = await preview(
      school,
      [
        'First Name [Required],Last Name [Required],Email Address [Required],Org Unit Path [Required],Status [READ ONLY]',
        `Ada,Baker,${email},/Staff/Teachers,Active`,
        `Ada,Baker,${email},/Staff/Teachers,Active`,
        'Imran,Sethi,i.sethi@school.example,/Staff/Teachers,Suspended',
        'Amara,Whitcombe,26awhitcombe@school.example,/Pupils/2026,Active',
        `Robin,Pending,${pending.email},/Staff,Active`,
        `Morgan,Admin,${school.admin.email},/Staff,Active`,
      ].join('\n'),
    );
    expect(reply.people.map(({ name, doubt }) => [name, doubt])).toEqual([
      ['Ada Baker', null],
      ['Ada Baker', 'This email is in the list twice.'],
      ['Imran Sethi', 'The list says that this account is not active.'],
      ['Amara Whitcombe', 'The list says that this is the account of a pupil or a parent.'],
      ['Robin Pending', 'This person has an invitation already.'],
      ['Morgan Admin', 'This person is a member of your school already.'],
    ]);
    expect(await list(school)).toHaveLength(1);
  });

  test('a file that is sent at once invites no account that is not active or a pupil’s', async () => {
    const school = await app.build.school();
    const { reply } = await app.call(inviteCalls.sendInvites, {
      token: school.admin.token,
      params: { id: school.id },
      file: {
        name: '41.csv',
        content: readFileSync(new URL('../../../lists/cases/41-google-workspace-users.csv', import.meta.url)),
      },
    });
    expect(reply.sent.map(({ email, name }) => `${email}|${name}`)).toEqual(['h.marwood@school.example|Helen Marwood']);
    expect(reply.failed.map(({ email }) => email)).toEqual(['i.sethi@school.example', '26awhitcombe@school.example']);
  });
});

describe('invites with a role and classes', () => {
  const inviteWith = (school: BuiltSchool, body: object) =>
    app.call(inviteCalls.sendInvites, {
      token: school.admin.token,
      params: { id: school.id },
      body: { name: ['Robin Newcomer'], ...body },
    });
  const acceptLink = (link: string, token: string) =>
    app.call(inviteCalls.acceptInvite, { params: { inviteId: link.split('/').at(-1) ?? '' }, token });

  test('an invite makes the user an admin, the first teacher of a class without one and a further teacher of the other', async () => {
    const school = await app.build.school();
    const { email, token } = await app.build.person('enterprise');
    const { reply } = await inviteWith(school, {
      email: [email],
      role: 'admin',
      group_ids: [school.otherClass.id, school.ownClass.id],
      with_links: true,
    });
    expect(reply).toMatchObject({ sent: [{ email }], links: [{ email }] });
    const listed = await app.call(inviteCalls.listInvites, { token: school.admin.token, params: { id: school.id } });
    expect(listed.reply.invites[0]).toMatchObject({
      role: 'admin',
      groups: [{ name: 'Year 5 Swifts' }, { name: 'Year 3 Wrens' }],
    });
    const link = reply.links?.[0]?.link ?? '';
    expect((await acceptLink(link, token)).status).toBe(200);
    const me = await userOf(token);
    expect(me.enterprise_user_role).toBe('admin');
    const managers = await app.database.kysely
      .selectFrom('classes')
      .select(['id', 'manager_id'])
      .where('school_id', '=', school.id)
      .orderBy('id')
      .execute();
    expect(managers).toEqual([
      { id: school.ownClass.id, manager_id: school.teacher.id },
      { id: school.otherClass.id, manager_id: me.id },
    ]);
    const further = await app.database.kysely
      .selectFrom('class_teachers')
      .select(['class_id', 'user_id'])
      .where('school_id', '=', school.id)
      .execute();
    expect(further).toEqual([{ class_id: school.ownClass.id, user_id: me.id }]);
  });

  test.each([
    ['teacher', 'on Storylark. You can follow your classes’ reading, choose their books and manage their logins.'],
    ['admin', 'on Storylark as an admin. You can see and change every class and pupil'],
    ['reading_lead', 'on Storylark as a reading lead or SENCO. You can read everything about every pupil'],
    ['teaching_assistant', 'on Storylark as a teaching assistant. You can follow the reading'],
    ['business_manager', 'on Storylark as a business manager. You can manage the subscription'],
    ['data_protection_officer', 'on Storylark as a data protection officer. You can answer requests about data'],
  ] as const)('the mail of an invite as %s says “%s”, and its link shows the role', async (role, text) => {
    const school = await app.build.school();
    const email = newEmail();
    await inviteWith(school, { email: [email], role });
    await app.runJobs();
    const mail = app.mails.find(({ recipient }) => recipient === email);
    expect(mail?.text.replaceAll(/\s+/g, ' ')).toContain(text);
    expect((await open(linkIn(email))).reply.invite.role).toBe(role);
  });

  test('each invite has its own role, the role of all where it has none, and teacher by default', async () => {
    const school = await app.build.school();
    const people = [newEmail(), newEmail(), newEmail()];
    await inviteWith(school, { email: people, roles: ['teacher', 'admin'] });
    const rolesOf = async () => new Map((await list(school)).map(({ email, role }) => [email, role]));
    const roles = await rolesOf();
    expect(people.map((email) => roles.get(email))).toEqual(['teacher', 'admin', 'teacher']);
    const others = [newEmail(), newEmail()];
    await inviteWith(school, { email: others, role: 'admin', roles: ['teacher'] });
    const later = await rolesOf();
    expect(others.map((email) => later.get(email))).toEqual(['teacher', 'admin']);
    const { status, error } = await inviteWith(school, { email: [newEmail()], roles: ['owner'] });
    expect([status, error.errors]).toEqual([422, { 'roles.0': ['Choose a role from the list.'] }]);
  });

  test('a list of staff suggests roles in its preview, and a file that is sent directly gives no more rights than a teacher has', async () => {
    const school = await app.build.school();
    const jobs = ['Headteacher', 'SENCo', 'Class teacher', 'Teaching assistant', 'School business manager'];
    const text = [
      'Name\tEmail\tRole',
      ...jobs.map((job, index) => `Person ${'ABCDE'[index]}\t${newEmail()}\t${job}`),
    ].join('\n');
    const at = { token: school.admin.token, params: { id: school.id } };
    const { people } = (await app.call(inviteCalls.previewInvites, { ...at, body: { text } })).reply;
    expect(people.map(({ role }) => role)).toEqual([
      'admin',
      'reading_lead',
      'teacher',
      'teaching_assistant',
      'business_manager',
    ]);
    const file = { name: 'staff.tsv', content: Buffer.from(text) };
    expect((await app.call(inviteCalls.sendInvites, { ...at, file })).reply).toMatchObject({
      sent: { length: 4 },
      failed: [{ error: expect.stringContaining('business manager') as string }],
    });
    expect((await list(school)).map(({ role }) => role).sort()).toEqual([
      'teacher',
      'teacher',
      'teacher',
      'teaching_assistant',
    ]);
  });

  test('the copied link of an invite accepts it, proves no address and is stored nowhere', async () => {
    const school = await app.build.school();
    const { email, token, id } = await app.build.person('enterprise');
    const unconfirm = () =>
      app.database.kysely.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', id).execute();
    const { reply } = await inviteWith(school, { email: [email], with_links: true });
    const link = reply.links?.[0]?.link ?? '';
    expect(await dumpDatabase(app.database)).not.toContain(link.split('/').at(-1));
    await unconfirm();
    expect((await acceptLink(link, token)).status).toBe(200);
    const row = await app.database.kysely
      .selectFrom('users')
      .innerJoin('user_schools', 'user_id', 'id')
      .select(['school_id', 'email_confirmed_at'])
      .where('id', '=', id)
      .executeTakeFirst();
    expect(row).toEqual({ school_id: school.id, email_confirmed_at: null });
  });

  test('each person of a list gets the classes chosen for them, and none of another school', async () => {
    const school = await app.build.school();
    const [first, second] = [newEmail(), newEmail()];
    const classIds = [[], [school.otherClass.id]];
    expect((await inviteWith(school, { email: [first, second], groups: classIds })).status).toBe(200);
    const listed = await app.call(inviteCalls.listInvites, { token: school.admin.token, params: { id: school.id } });
    const classesOf = (email: string) =>
      listed.reply.invites.find((invite) => invite.email === email)?.groups.map(({ id }) => id);
    expect([classesOf(first), classesOf(second)]).toEqual([[], [school.otherClass.id]]);
    const other = await app.build.school();
    const foreign = await inviteWith(school, { email: [newEmail()], groups: [[other.ownClass.id]] });
    expect(foreign.status).toBe(404);
  });

  test('an invite has no second link unless requested, assigns classes to one person, and no class of another school', async () => {
    const school = await app.build.school();
    expect((await inviteWith(school, { email: [newEmail()] })).reply.links).toBeUndefined();
    const two = await inviteWith(school, { email: [newEmail(), newEmail()], group_ids: [school.otherClass.id] });
    expect(two.error.errors).toEqual({ group_ids: ['To assign classes, invite one person at a time.'] });
    const otherSchool = await app.build.school();
    expect((await inviteWith(school, { email: [newEmail()], group_ids: [otherSchool.ownClass.id] })).status).toBe(404);
  });
});

describe('limits of invites', () => {
  const onTrial = (school: BuiltSchool, isTrial = true) =>
    app.database.kysely
      .updateTable('subscriptions')
      .set({ is_trial: isTrial })
      .where('school_id', '=', school.id)
      .execute();
  const emails = (count: number) => Array.from({ length: count }, newEmail);
  const remove = (school: BuiltSchool, inviteId: string) =>
    app.call(inviteCalls.removeInvite, { token: school.admin.token, params: { id: school.id, inviteId } });
  const resend = (school: BuiltSchool, inviteId: string) =>
    app.call(inviteCalls.resendInvite, { token: school.admin.token, params: { id: school.id, inviteId } });

  test('a school on the trial has at most 20 open invites, also when requests arrive at the same time', async () => {
    const school = await app.build.school();
    await onTrial(school);
    const replies = await Promise.all([emails(9), emails(9), emails(9)].map((some) => send(school, some)));
    expect(replies.flatMap(({ reply }) => reply.sent)).toHaveLength(20);
    const failed = replies.flatMap(({ reply }) => reply.failed);
    expect(failed).toHaveLength(7);
    for (const { error } of failed) expect(error).toContain('20 open invitations');
    const [newest] = await list(school);
    expect((await resend(school, newest?.id ?? '')).status).toBe(200);
    await remove(school, newest?.id ?? '');
    expect((await send(school, emails(2))).reply).toMatchObject({ sent: [{}], failed: [{}] });
  });

  test('a school on the trial sends at most 50 invitations in 24 hours, whatever is deleted or sent again meanwhile', async () => {
    const school = await app.build.school();
    await onTrial(school);
    for (let round = 0; round < 2; round += 1) {
      expect((await send(school, emails(20))).reply.sent).toHaveLength(20);
      for (const { id } of await list(school)) await remove(school, id);
    }
    expect((await send(school, emails(9))).reply.sent).toHaveLength(9);
    const [newest] = await list(school);
    expect((await resend(school, newest?.id ?? '')).status).toBe(200);
    const rejected = await resend(school, newest?.id ?? '');
    expect([rejected.status, rejected.error.error]).toEqual([
      429,
      expect.stringContaining('50 invitations in 24 hours'),
    ]);
    expect(Number(rejected.headers['retry-after'])).toBe(24 * 3600);
    expect((await send(school, emails(1))).reply.failed).toMatchObject([
      { error: expect.stringMatching(/in 24 hours\.$/) },
    ]);
    app.setTime('2026-11-19T09:30:00.000Z');
    const later = await resend(school, newest?.id ?? '');
    expect([later.headers['retry-after'], later.error.error]).toEqual([
      '9000',
      'Your school has sent 50 invitations in 24 hours, which is the limit. Send this one in 3 hours.',
    ]);
    app.setTime('2026-11-19T12:00:00.001Z');
    expect((await send(school, emails(1))).reply.sent).toHaveLength(1);
  });

  test('a limit of invitations ends when enough of them are 24 hours old, also after a smaller limit applies', async () => {
    const school = await app.build.school();
    app.setTime('2026-11-18T10:00:00.000Z');
    await send(school, emails(9));
    app.setTime('2026-11-18T11:00:00.000Z');
    await send(school, emails(50));
    await onTrial(school);
    for (const { id } of await list(school)) await remove(school, id);
    app.setTime('2026-11-18T12:00:00.000Z');
    // The first nine are not enough.
    expect((await send(school, emails(1))).reply.failed).toMatchObject([
      { error: expect.stringMatching(/in 23 hours\.$/) },
    ]);
    app.setTime('2026-11-19T11:00:00.000Z');
    expect((await send(school, emails(1))).reply.sent).toHaveLength(1);
  });

  test('a customer sends at most 500 invitations in 24 hours, and rejected ones are counted for the metrics', async () => {
    const school = await app.build.school();
    const before = eventCounts().invite_limit_day;
    for (const count of [200, 200, 99]) expect((await send(school, emails(count))).reply.sent).toHaveLength(count);
    expect((await send(school, emails(3))).reply).toMatchObject({ sent: [{}], failed: [{}, {}] });
    expect(eventCounts().invite_limit_day - before).toBe(2);
  });

  test('resending an invite to a person who declined says what to do instead', async () => {
    const school = await app.build.school();
    const invite = await app.build.invite(school);
    await decline(invite.link);
    const { status, error } = await resend(school, invite.id);
    expect([status, error.error]).toEqual([
      409,
      'This person declined the invitation. Invite them again if they want to join.',
    ]);
  });
});
