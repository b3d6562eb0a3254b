import { describe, expect, it } from 'vitest';
import { makeUser } from '../../../../testing/make-school.ts';
import { afterLogin } from './after-login.ts';

const SCHOOLLESS = { enterprise: null, enterprise_id: null, enterprise_user_role: null, role: null } as const;
const newcomer = makeUser(SCHOOLLESS);
const privateUser = makeUser({ ...SCHOOLLESS, user_type: 'standard' });

const visit = (redirect: string | null, kept = {}) => ({
  query: new URLSearchParams(redirect === null ? {} : { redirect }),
  kept,
});

describe('after login', () => {
  it('a user of a school goes to the dashboard, or to the page that led to the login', () => {
    expect(afterLogin(makeUser(), visit(null))).toBe('/');
    expect(afterLogin(makeUser(), visit('/pupils?page=2'))).toBe('/pupils?page=2');
    expect(afterLogin(makeUser(), visit('https://elsewhere.example/'))).toBe('/');
  });

  it('a user without a school goes to its registration, whatever page led to the login', () => {
    for (const redirect of [null, '/pupils']) expect(afterLogin(newcomer, visit(redirect))).toBe('/register-school');
  });

  it('a user whose account is not for schools goes to the warning, whatever page led to the login', () => {
    for (const user of [privateUser, makeUser({ user_type: 'standard' })])
      for (const redirect of [null, '/pupils']) expect(afterLogin(user, visit(redirect))).toBe('/subscription/warning');
  });

  it('a user with a stored invitation goes to the invitation', () => {
    const invite = '5f0c1c1e-0000-4000-8000-000000000001';
    for (const user of [newcomer, privateUser, makeUser()])
      expect(afterLogin(user, visit('/pupils', { invite }))).toBe(`/invite/${invite}`);
  });
});
