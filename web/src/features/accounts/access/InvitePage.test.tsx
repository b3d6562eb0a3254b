import { describe, expect, it } from 'vitest';
import type { User } from '#contract/calls/access.ts';
import { openGuestPage, submitGuestForm, visitGuestPage } from '../../../testing/guest-page.ts';
import { makeUser, makeUserOfElm } from '../../../testing/make-school.ts';

const ID = '5f0c1c1e-0000-4000-8000-000000000001';
const INVITE = {
  id: ID,
  status: 'pending',
  email: 'ada@school.example',
  name: 'Ada Okafor',
  created_at: '2026-11-18T12:00:00.000Z',
  expires_at: '2099-12-02T12:00:00.000Z',
  enterprise: { name: 'Oak Row' },
  role: 'teacher',
  sign_in_providers: [],
};
const PAGE = `/invite/${ID}`;
const GET = `GET /v1/enterprises/invites/${ID}`;
const ACCEPT = `POST /v1/enterprises/invites/${ID}/accept`;
const DECLINE = `POST /v1/enterprises/invites/${ID}/decline`;
const CHILD = { id: 1, name: 'Ivy', type: 'child' };
const DEMO = { id: 2, name: 'Demo', type: 'demo' };

const kept = { invite: ID };
const FORGOTTEN = { invite: null };
const JOINED = { to: '/#joined', keep: FORGOTTEN };
const replies = { [GET]: () => ({ invite: INVITE }), [ACCEPT]: () => ({ enterprise_id: 8 }), [DECLINE]: () => ({}) };
/** The API of a signed-in user without a school. */
const as = (user: Partial<User>) => ({
  ...replies,
  'GET /v1/users/me': () => ({
    user: makeUser({
      enterprise: null,
      enterprise_id: null,
      enterprise_user_role: null,
      role: null,
      readers: [],
      ...user,
    }),
  }),
});
const parent: Partial<User> = { user_type: 'standard', readers: [CHILD, DEMO] };

type Answer = Awaited<ReturnType<typeof visitGuestPage>>;
const changesOf = ({ sent }: Answer) => Object.keys(sent).filter((call) => call.startsWith('POST'));
const buttonsOf = ({ page }: Answer) => page!.getAllByRole('button').map(({ textContent }) => textContent);

describe('after a login to accept an invitation', () => {
  it.each<[string, Partial<User>]>([
    ['a user of a school account', { readers: [CHILD] }],
    ['a private account without profiles', { user_type: 'standard' }],
    ['a private account with a demo profile alone', { user_type: 'standard', readers: [DEMO] }],
  ])('%s joins at once', async (_who, user) => {
    const answer = await visitGuestPage(PAGE, { replies: as(user), kept });
    expect([answer.reply, changesOf(answer)]).toMatchObject([JOINED, [ACCEPT]]);
  });

  it('a private account joins only when Yes confirms that its profiles are deleted', async () => {
    const question = await visitGuestPage(PAGE, { replies: as(parent), kept });
    expect(question.page!.getByRole('heading', { level: 1 }).textContent).toBe('Join Oak Row and delete your readers?');
    expect(question.page!.text).toContain('deletes the 1 reader of your own account: Ivy. You cannot undo this.');
    expect([changesOf(question), buttonsOf(question)]).toEqual([[], ['Yes', 'No', 'Close and log out']]);
    const accepted = await submitGuestForm(PAGE, { answer: 'accept' }, { replies: as(parent), kept });
    expect([changesOf(accepted), buttonsOf(accepted)]).toEqual([[], ['Yes', 'No', 'Close and log out']]);
    const agreed = await submitGuestForm(PAGE, { answer: 'join' }, { replies: as(parent), kept });
    expect([agreed.reply, changesOf(agreed)]).toMatchObject([JOINED, [ACCEPT]]);
  });

  it('No declines the invitation, forgets it, logs out and says so at the login', async () => {
    const answer = await submitGuestForm(PAGE, { answer: 'decline' }, { replies: as(parent), kept });
    expect(answer.reply).toMatchObject({ to: '/login?action=decline', keep: FORGOTTEN, endsSession: true });
    expect(changesOf(answer)).toEqual([DECLINE]);
    expect((await openGuestPage(answer.to!)).text).toContain('You have declined the invitation');
  });

  it('closing the question logs out, and answers nothing', async () => {
    const { page } = await visitGuestPage(PAGE, { replies: as(parent), kept });
    const form = page!.getByRole('button', { name: 'Close and log out' }).closest('form')!;
    expect([form.getAttribute('method'), form.getAttribute('action')]).toEqual(['post', '/logout']);
    expect(form.querySelector('[name]')).toBeNull();
  });

  it('a user who cannot join reads why, and the invitation is forgotten', async () => {
    const error = 'You already work at this school with this account.';
    const rejection = { [ACCEPT]: () => ({ status: 409, error, code: 'already_on_staff' }) };
    const { page } = await visitGuestPage(PAGE, { replies: { ...as({}), ...rejection }, kept });
    expect(page).toMatchObject({ status: 409, keep: FORGOTTEN });
    expect(page!.getByRole('alert').textContent).toContain(error);
    expect(page!.link('Go to main page')).toBe('/');
    expect(page!.queryByRole('link', { name: 'Try again' })).toBeNull();
  });

  it('a user can try again to join while the portal is not available', async () => {
    const failure = { [ACCEPT]: () => ({ status: 503, error: 'Not available' }) };
    const { page } = await visitGuestPage(PAGE, { replies: { ...as({}), ...failure }, kept });
    expect(page).toMatchObject({ status: 503, keep: kept });
    expect(page!.link('Try again')).toBe(PAGE);
  });

  it('a user who has not chosen to accept the invitation joins no school', async () => {
    for (const values of [{}, { invite: ID.replace('1', '2') }]) {
      const answer = await visitGuestPage(PAGE, {
        replies: as({ email: 'ada@school.example', full_name: 'Ada Okafor' }),
        kept: values,
      });
      expect([changesOf(answer), buttonsOf(answer)]).toEqual([[], ['Accept as Ada Okafor', 'Decline']]);
    }
  });
});

describe('an invitation of a person who works at a school', () => {
  const SWITCH = 'POST /v1/users/me/enterprise';
  const user = makeUser();
  const staff = { ...replies, 'GET /v1/users/me': () => ({ user }), [SWITCH]: () => ({ user: makeUserOfElm() }) };

  it('says that they stay at their school', async () => {
    const { page } = await visitGuestPage(PAGE, { replies: staff });
    expect(page!.text).toContain('You stay at Oak Row. You can switch between your schools at any time.');
    expect((await visitGuestPage(PAGE, { replies: as({ email: INVITE.email }) })).page!.text).not.toContain('You stay');
  });

  it.each([
    ['one press', () => submitGuestForm(PAGE, { answer: 'accept' }, { replies: staff })],
    ['the login for it', () => visitGuestPage(PAGE, { replies: staff, kept })],
  ])('is accepted by %s, and the session switches to the new school', async (_how, accept) => {
    const answer = await accept();
    expect([answer.reply, changesOf(answer)]).toMatchObject([JOINED, [ACCEPT, SWITCH]]);
    expect(answer.sent[SWITCH]).toEqual([{ enterprise_id: 8 }]);
  });

  it('leads to the page that asks for a proof when their login was longer ago', async () => {
    const proof = { [ACCEPT]: () => ({ status: 409, error: 'Prove it', code: 'proof_required' }) };
    const answer = await submitGuestForm(PAGE, { answer: 'accept' }, { replies: { ...staff, ...proof } });
    expect(answer.reply).toMatchObject({ to: `/account/schools/join/${ID}`, keep: FORGOTTEN });
    expect(changesOf(answer)).toEqual([ACCEPT]);
  });

  it('leads to their schools when they cannot switch to the new one yet', async () => {
    const refusal = { [SWITCH]: () => ({ status: 409, error: 'Add a passkey', code: 'second_factor_needed' }) };
    const answer = await submitGuestForm(PAGE, { answer: 'accept' }, { replies: { ...staff, ...refusal } });
    expect(answer.reply).toMatchObject({ to: '/account/schools', keep: FORGOTTEN });
  });
});

describe('an invitation', () => {
  it('a pending invitation offers a guest to register, to log in or to decline', async () => {
    const answer = await visitGuestPage(PAGE, { replies });
    expect(answer.page!.getByRole('heading', { level: 1 }).textContent).toBe('Join Oak Row');
    expect(buttonsOf(answer)).toEqual(['Register', 'Log in', 'Decline']);
  });

  it.each([
    ['teacher', 'Oak Row invites you to Storylark.'],
    ['admin', 'Oak Row invites you to join Storylark as an admin.'],
    ['reading_lead', 'Oak Row invites you to join Storylark as a reading lead or SENCO.'],
    ['teaching_assistant', 'Oak Row invites you to join Storylark as a teaching assistant.'],
  ])('an invitation in the role %s says “%s”', async (role, text) => {
    const { page } = await visitGuestPage(PAGE, { replies: { [GET]: () => ({ invite: { ...INVITE, role } }) } });
    expect(page!.getByText(text)).toBeTruthy();
  });

  it.each([
    ['register', '/register'],
    ['log-in', '/login'],
  ])('the choice %s leads to %s with the invitation to accept, and logs another user out', async (choice, to) => {
    const guest = await submitGuestForm(PAGE, { answer: choice }, { replies });
    expect(guest.reply).toEqual({ kind: 'redirect', to, keep: kept, endsSession: false });
    const other = await submitGuestForm(PAGE, { answer: choice }, { replies: as({}) });
    expect([other.reply, changesOf(other)]).toEqual([{ ...guest.reply, endsSession: true }, []]);
  });

  it('a user with another address reads that only the invited one can accept', async () => {
    const answer = await visitGuestPage(PAGE, { replies: as({ email: 'bob@school.example' }) });
    expect(answer.page!.text).toContain('You are logged in as bob@school.example.');
    expect(buttonsOf(answer)).toEqual(['Register', 'Log in', 'Decline']);
  });

  it('a signed-in user with the invited address joins with one button', async () => {
    const user = as({ email: 'Ada@school.example' });
    const answer = await submitGuestForm(PAGE, { answer: 'accept' }, { replies: user });
    expect([answer.reply, changesOf(answer)]).toMatchObject([JOINED, [ACCEPT]]);
  });

  it('an invitation that cannot be declined now stays open, and the page says why', async () => {
    const error = 'There were too many attempts.';
    const failure = { [DECLINE]: () => ({ status: 429, error }) };
    const answer = await submitGuestForm(PAGE, { answer: 'decline' }, { replies: { ...replies, ...failure } });
    expect(answer.page!.status).toBe(429);
    expect(answer.page!.getByRole('alert').textContent).toContain(error);
    expect(buttonsOf(answer)).toEqual(['Register', 'Log in', 'Decline']);
  });

  it.each([
    ['accepted', 'This invitation has already been accepted.'],
    ['declined', 'This invitation was declined.'],
    ['expired', 'This invitation has expired.'],
  ])('an invitation that is %s leads to the login, which says “%s”', async (status, text) => {
    const ended = { [GET]: () => ({ invite: { ...INVITE, status } }) };
    const { to, reply } = await visitGuestPage(PAGE, { replies: ended, kept });
    expect(reply).toMatchObject({ to: `/login?action=invite-${status}`, keep: FORGOTTEN });
    expect((await openGuestPage(to!)).text).toContain(text);
  });

  it('an invitation that does not exist leads to the login, which says so', async () => {
    const { to } = await visitGuestPage(PAGE, { replies: { [GET]: () => ({ status: 404, error: 'Gone' }) } });
    expect(to).toBe('/login?action=invite-unknown');
    expect((await openGuestPage(to!)).text).toContain('This invitation no longer exists.');
  });

  it('an invitation that the portal cannot load now gets the page of an unavailable portal', async () => {
    const { reply } = await visitGuestPage(PAGE, {
      replies: { [GET]: () => ({ status: 503, error: 'Not available' }) },
    });
    expect(reply).toEqual({ kind: 'unavailable' });
  });

  it('an invitation that someone opens too often says so in place', async () => {
    const error = 'There were too many attempts.';
    const { page } = await visitGuestPage(PAGE, { replies: { [GET]: () => ({ status: 429, error }) } });
    expect([page!.status, page!.getByRole('alert').textContent]).toEqual([429, expect.stringContaining(error)]);
  });
});
