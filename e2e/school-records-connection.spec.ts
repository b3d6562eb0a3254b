import type { ReplyOf } from '#contract/call.ts';
import type { runCalls } from '#contract/calls/runs.ts';
import { startOneRosterServer, type TestOneRosterServer } from '../server/src/testing/oneroster-server.ts';
import { callApi, expect, expectAccessibleInBothSchemes, fillLogin, test as base } from './portal.ts';
import { buildSchool } from './school.ts';
import { type Portal, startPortal } from './server.ts';

const CLASSES = [
  { id: 'k3', title: 'Year 3 Otters' },
  { id: 'k4', title: 'Year 4 Wrens' },
];
const pupilOf = (given: string, classId = 'k3', grade = '03') => ({
  id: given.toLowerCase(),
  given,
  family: 'Quaglino',
  classes: [classId],
  grade,
});
const DILYS = pupilOf('Dilys');
const TILLY = pupilOf('Tilly', 'k4', '04');

/** A portal that may reach a OneRoster server on this machine. */
const test = base.extend<object, { server: TestOneRosterServer; portal: Portal }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the requested fixtures from this pattern
    async ({}, use) => {
      const server = await startOneRosterServer({ pupils: [DILYS, TILLY], classes: CLASSES });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  portal: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the requested fixtures from this pattern
    async ({}, use) => {
      const portal = await startPortal({ OIDC_PRIVATE_NETWORK: 'on' });
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

test('a school connects its system, and an admin applies the plan of a nightly check and undoes it', async ({
  page,
  portal,
  server,
}) => {
  const { id, token, admin } = await buildSchool(portal);
  await fillLogin(page, admin);
  await page.goto('/school/records');
  await page.getByRole('button', { name: 'Add a connection' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a connection' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  for (const problem of ['Enter the address.', 'Enter the client secret.'])
    await expect(dialog.getByText(problem).first()).toBeVisible();
  await dialog.getByLabel('Address', { exact: true }).fill(server.url);
  await dialog.getByLabel('Token address').fill(server.tokenUrl);
  await dialog.getByLabel('Client ID').fill(server.client.id);
  await dialog.getByLabel('Client secret').fill('another');
  await expectAccessibleInBothSchemes(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Test the connection' }).click();
  await expect(page.getByText('did not accept the client ID and secret', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  const change = page.getByRole('dialog', { name: 'Change the connection' });
  await expect(change.getByLabel('Client secret')).toHaveValue('');
  await change.getByLabel('Client secret').fill(server.client.secret);
  await change.getByRole('button', { name: 'Save' }).click();

  await page.getByRole('button', { name: 'Test the connection' }).click();
  await expect(page.getByText('Found 2 pupils in 2 classes').first()).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('checkbox', { name: 'Year 3, 1 pupil' }).check();
  await page.getByRole('button', { name: 'Save this choice' }).click();
  await expect(page.getByText('It reads only Year 3.', { exact: false })).toBeVisible();

  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'OneRoster connection' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Joiners (1)' })).toBeVisible();
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  const logins = page.getByRole('dialog', { name: 'New logins' });
  await logins.getByRole('checkbox', { name: 'I have downloaded the files' }).check();
  await logins.getByRole('button', { name: 'Close', exact: true }).click();

  server.serve({ pupils: [DILYS, TILLY, pupilOf('Wren')], classes: CLASSES });
  await portal.edit("insert into pgboss.job (name, data) values ('school-records-checks', '{}')");
  const listRuns = async () => {
    const path = `/enterprises/${id}/runs`;
    return (await callApi<ReplyOf<typeof runCalls.listRuns>>(portal, 'GET', path, undefined, token)).runs;
  };
  await expect.poll(listRuns).toContainEqual(expect.objectContaining({ origin: 'nightly' }));
  await page.goto('/school/records');
  const history = page.getByRole('table', { name: 'History' });
  await expect(history.getByRole('row').filter({ hasText: 'Nightly check' })).toContainText(
    'Waiting for your decision',
  );
  await expectAccessibleInBothSchemes(page);
  await history.getByRole('row').filter({ hasText: 'Nightly check' }).getByRole('link').click();
  await expect(page.getByText('Read by the nightly check on', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await logins.getByRole('checkbox', { name: 'I have downloaded the files' }).check();
  await logins.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo the changes' }).click();
  await expect(page.getByText('Undone', { exact: true })).toBeVisible();
  await page.goto('/pupils');
  await expect(page.getByRole('link', { name: 'Dilys Quaglino' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Wren Quaglino' })).toHaveCount(0);

  await page.goto('/school/records');
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Paused: it is not checked at night.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Remove the connection' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the connection' }).click();
  await expect(page.getByRole('button', { name: 'Add a connection' })).toBeVisible();
});

test('a connection to a server with pupils of two schools reads the one that an admin chooses', async ({
  page,
  portal,
  server,
}) => {
  const { admin } = await buildSchool(portal);
  server.serve({ pupils: [DILYS, TILLY], classes: CLASSES });
  const tilly = server.records.users.find(({ sourcedId }) => sourcedId === TILLY.id);
  Object.assign(tilly ?? {}, { roles: [{ role: 'student', org: { sourcedId: 'other' } }] });
  await fillLogin(page, admin);
  await page.goto('/school/records');
  await page.getByRole('button', { name: 'Add a connection' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a connection' });
  await dialog.getByLabel('Address', { exact: true }).fill(server.url11);
  await dialog.getByLabel('Token address').fill(server.tokenUrl);
  await dialog.getByLabel('Client ID').fill(server.client.id);
  await dialog.getByLabel('Client secret').fill(server.client.secret);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByText('This server has pupils of 2 schools.', { exact: false }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Test the connection' }).click();
  await page.getByRole('radio', { name: 'Oak Nursery, 1 pupil' }).check();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Found 1 pupil in 1 class').first()).toBeVisible();
  await expect(page.getByText('It reads all classes of Oak Nursery.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByRole('checkbox', { name: 'Tilly Quaglino' })).toBeChecked();
  await expect(page.getByRole('heading', { name: 'Joiners (1)' })).toBeVisible();
});
