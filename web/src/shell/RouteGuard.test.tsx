// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { screens } from '../routes.tsx';
import { getSession, renewUser, useUser } from '../shared/session.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { makeSchool, makeUser } from '../testing/make-school.ts';
import { renderRoutes, signIn } from '../testing/render-in-app.tsx';
import { visitorOf } from './load-screen.ts';
import { RouteGuard } from './RouteGuard.tsx';

it('the queries of a screen are fetched again before a user with another role sees the screen', async () => {
  const events: string[] = [];
  function Page() {
    const role = useUser().enterprise_user_role;
    events.push(`renders for ${role}`);
    return <h1>{role}</h1>;
  }
  const teachers = screens.find(({ path }) => path === '/teachers')!;
  const user = makeUser({ enterprise_user_role: 'teacher', role: 'teacher' });
  signIn(user);
  fakeApi({ 'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({}) }) });
  const loader = () => {
    events.push(`loads for ${getSession()?.user.enterprise_user_role}`);
    return visitorOf(getSession());
  };
  const element = (
    <RouteGuard screen={teachers}>
      <Page />
    </RouteGuard>
  );
  renderRoutes([{ path: '/teachers', loader, element }], '/teachers');
  await screen.findByRole('heading', { name: 'teacher' });
  act(() => renewUser(getSession()!.key, { ...user, enterprise_user_role: 'admin', role: 'admin' }));
  await screen.findByRole('heading', { name: 'admin' });
  expect(events.indexOf('loads for admin')).toBeGreaterThan(0);
  expect(events.indexOf('loads for admin')).toBeLessThan(events.indexOf('renders for admin'));
});
