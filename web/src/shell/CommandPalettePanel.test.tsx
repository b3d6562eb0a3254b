// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Role } from '#contract/permissions.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { makeSchool, makeUser } from '../testing/make-school.ts';
import { renderRoutes, signIn } from '../testing/render-in-app.tsx';
import { schoolQuery } from '../features/school/school/school.public.ts';
import { usePrefetchedQuery } from '../shared/use-prefetched-query.ts';
import { PALETTE_ID } from '../shared/shortcuts.ts';
import CommandPalettePanel from './CommandPalettePanel.tsx';

function Palette() {
  usePrefetchedQuery(schoolQuery(7));
  return <CommandPalettePanel />;
}

/** Opens the palette for a member with the role and types a text. Returns the results and the calls. */
async function typeAs(role: Role, text: string) {
  signIn(makeUser({ role, enterprise_user_role: 'teacher', memberships: [] }));
  const colleague = {
    id: 9,
    first_name: 'Dilys',
    last_name: 'Head',
    email: 'dilys@school.example',
    user_manages: false,
    enterprise_user_role: 'teacher' as const,
    role: 'reading_lead' as const,
  };
  const sent = fakeApi({
    'GET /v1/users/me': () => ({ user: makeUser({ role, memberships: [] }) }),
    'GET /v1/enterprises/7?include=invoices': () => ({
      enterprise: makeSchool({ user_manages: false, users: [colleague] }),
    }),
  });
  const { user } = renderRoutes([{ path: '/school', Component: Palette }], '/school');
  await screen.findByRole('heading', { name: 'Find anything', hidden: true });
  document.querySelector<HTMLDialogElement>(`#${PALETTE_ID}`)!.showModal();
  const field = screen.getByRole('combobox');
  await user.type(field, text);
  const options = await screen.findAllByRole('option');
  return { label: field.closest('div'), options: options.map(({ textContent }) => textContent), sent };
}

it('the palette of a business manager finds colleagues with their roles, and searches no pupils', async () => {
  const { options, sent } = await typeAs('business_manager', 'dilys');
  expect(options).toEqual(['Dilys HeadReading lead or SENCO']);
  expect(screen.getByLabelText('Colleague or screen')).toBeTruthy();
  expect(Object.keys(sent).filter((name) => name.includes('/readers'))).toEqual([]);
});

it('the palette of a data protection officer offers everything about a colleague', async () => {
  const { options, sent } = await typeAs('data_protection_officer', 'everything about dilys');
  expect(options).toEqual(['Everything about Dilys Head …Reading lead or SENCO']);
  expect(Object.keys(sent).filter((name) => name.includes('/readers'))).toEqual([]);
});

it('the palette of a business manager has the screens of their own sidebar only', async () => {
  const { options } = await typeAs('business_manager', 's');
  expect(options).toContain('SubscriptionAccount');
  for (const name of ['DashboardSchool', 'PupilsSchool', 'ClassesSchool']) expect(options).not.toContain(name);
});

it('the palette of a supply teacher has their screens and the help, and no colleagues', async () => {
  const { options } = await typeAs('supply_teacher', 's');
  expect(options).toEqual(expect.arrayContaining(['ClassesSchool', 'PupilsSchool']));
  for (const name of ['Dilys HeadReading lead or SENCO', 'SchoolSchool', 'TeachersSchool', 'My detailsAccount'])
    expect(options).not.toContain(name);
  expect(screen.getByLabelText('Pupil, class or screen')).toBeTruthy();
});
