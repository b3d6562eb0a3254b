// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { AuditEntry } from '#contract/calls/school.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../testing/render-in-app.tsx';
import ChangesPage from './ChangesPage.tsx';

const LOG = 'GET /v1/enterprises/7/audit-log?page=1&per_page=50';
const entry = (more: Partial<AuditEntry>): AuditEntry => ({
  id: 1,
  at: '2026-11-21T09:30:00.000Z',
  actor: { id: 3, name: 'Ada Okafor' },
  impersonator: null,
  program: null,
  action: 'class_created',
  subject_kind: 'class',
  subject_id: '5',
  pupils: null,
  details: { name: 'Owls' },
  ...more,
});

/** Shows the log to an admin. Returns a simulated user and the requests sent. */
function show(entries: AuditEntry[]) {
  signIn(makeUser());
  const reply = () => ({
    entries,
    meta: { page: 1, per_page: 25, total: entries.length, total_filtered: entries.length },
  });
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    [LOG]: reply,
    [`${LOG}&actor_id=programs`]: reply,
  });
  return { ...renderInApp(<ChangesPage />, '/school/changes'), sent };
}

it('a change by a program names the program and the admin who answers for it', async () => {
  const program = { id: 4, name: 'Data warehouse' };
  show([entry({ program }), entry({ id: 2, program, actor: null }), entry({ id: 3 })]);
  const table = await screen.findByRole('table', { name: 'Changes' });
  await within(table).findAllByText('Created the class Owls');
  // Each cell begins with the name of its column, for narrow screens.
  const [, ...rows] = within(table).getAllByRole('row');
  expect(rows.map((row) => within(row).getAllByRole('cell')[0]?.textContent)).toEqual([
    'WhoData warehousea program, for Ada Okafor',
    'WhoData warehousea program',
    'WhoAda Okafor',
  ]);
});

it('the changes can be limited to those of programs', async () => {
  const { user, sent } = show([entry({})]);
  await user.selectOptions(await screen.findByLabelText('Person'), 'Programs');
  await waitFor(() => expect(sent[`${LOG}&actor_id=programs`]).toHaveLength(1));
});
