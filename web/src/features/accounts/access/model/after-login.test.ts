// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest';
import { makeUser } from '../../../../testing/make-school.ts';
import { afterLogin } from './after-login.ts';
import { forgetInvite, storeInvite } from './stored-invite.ts';

const SCHOOLLESS = { enterprise: null, enterprise_id: null, enterprise_user_role: null } as const;
const newcomer = makeUser(SCHOOLLESS);
const privateUser = makeUser({ ...SCHOOLLESS, user_type: 'standard' });

describe('after login', () => {
  afterEach(forgetInvite);

  it('a user of a school goes to the dashboard, or to the page that led to the login', () => {
    expect(afterLogin(makeUser(), null)).toBe('/');
    expect(afterLogin(makeUser(), '/pupils?page=2')).toBe('/pupils?page=2');
    expect(afterLogin(makeUser(), 'https://elsewhere.example/')).toBe('/');
  });

  it('a user without a school goes to its registration, whatever page led to the login', () => {
    for (const redirect of [null, '/pupils']) expect(afterLogin(newcomer, redirect)).toBe('/register-school');
  });

  it('a user whose account is not for schools goes to the warning, whatever page led to the login', () => {
    for (const user of [privateUser, makeUser({ user_type: 'standard' })])
      for (const redirect of [null, '/pupils']) expect(afterLogin(user, redirect)).toBe('/subscription/warning');
  });

  it('a user with a stored invitation goes to the invitation, until it expires', () => {
    const invite = { id: '5f0c1c1e-0000-4000-8000-000000000001', email: 'ada@school.example' };
    storeInvite({ ...invite, expires_at: '2099-12-31T12:00:00.000Z' });
    for (const user of [newcomer, privateUser]) expect(afterLogin(user, null)).toBe(`/invite/${invite.id}`);
    storeInvite({ ...invite, expires_at: '2020-12-31T12:00:00.000Z' });
    expect(afterLogin(newcomer, null)).toBe('/register-school');
  });
});
