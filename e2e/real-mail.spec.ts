import { SMTPServer } from 'smtp-server';
import { expect, PASSWORD, readMail, submitLogin, test as base } from './portal.ts';
import { type Portal, startPortal } from './server.ts';

interface Received {
  to: string[];
  text: string;
}

/** A local SMTP server, and a portal that sends through it. */
const test = base.extend<object, { mailbox: { url: string; received: Received[] }; portal: Portal }>({
  mailbox: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the requested fixtures from this pattern
    async ({}, use) => {
      const received: Received[] = [];
      const server = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS'],
        onData: (stream, { envelope }, done) => {
          const parts: Buffer[] = [];
          stream.on('data', (part: Buffer) => parts.push(part));
          stream.on('end', () => {
            received.push({
              to: envelope.rcptTo.map(({ address }) => address),
              text: readMail(Buffer.concat(parts).toString()),
            });
            done();
          });
        },
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      const { port } = server.server.address() as { port: number };
      await use({ url: `smtp://127.0.0.1:${port}`, received });
      await new Promise<void>((done) => server.close(() => done()));
    },
    { scope: 'worker' },
  ],
  portal: [
    async ({ mailbox }, use) => {
      const portal = await startPortal({ SMTP_URL: mailbox.url }, { isEmpty: true });
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

const ADMIN = 'rosa@hazel-lane.example';
const TEACHER = 'tomas.oneill@hazel-lane.example';
const NEW_PASSWORD = 'kettle over 7 hills';

test.use({ timezoneId: 'Europe/London' });

test('a school works with email sent over SMTP', async ({ page, portal, mailbox }) => {
  /** The link in an email that the mail server received for an address. */
  const linkTo = async (email: string, path: string): Promise<string> => {
    const findLink = () =>
      mailbox.received
        .filter(({ to }) => to.includes(email))
        .map(({ text }) => new RegExp(`${portal.url}${path}[\\w/?=-]+`).exec(text)?.[0])
        .find(Boolean);
    await expect.poll(findLink, { message: `a mail to ${email} with a link to ${path}` }).toBeTruthy();
    return findLink()!;
  };

  await page.goto('/register-school');
  await page.getByLabel('School name').fill('Hazel Lane Primary');
  await page.getByLabel('Contact name').fill('Rosa Field');
  await page.getByLabel('Address line 1').fill('1 Hazel Lane');
  await page.getByLabel('Country').selectOption('GBR');
  await page.getByLabel('Postcode').fill('SW1A 1AA');
  await page.getByLabel('Phone').fill('+44 20 7946 0000');
  await page.getByLabel('First name').fill('Rosa');
  await page.getByLabel('Last name').fill('Field');
  await page.getByLabel('Email', { exact: true }).fill(ADMIN);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Accept EULA').check();
  await page.getByLabel('Accepts Ts and Cs').check();
  await page.getByRole('button', { name: 'Register school' }).click();
  await expect(page).toHaveURL(/\/select-subscription$/);
  await page.getByRole('button', { name: 'Start free trial' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await page.goto('/logout');
  await expect(page).toHaveURL(/\/login/);

  await page.getByRole('link', { name: 'Forgotten Password' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Forgotten Password' })).toBeVisible();
  await page.getByLabel('Email').fill(ADMIN);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByText('An email with your new password has been sent to your address.').first()).toBeVisible();
  await page.goto(await linkTo(ADMIN, '/password/reset'));
  await expect(page.getByLabel('New password', { exact: true })).toBeEnabled();
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel('New password again').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('link', { name: 'Go to login' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await submitLogin(page, ADMIN);
  await expect(page.getByText(/Login failed/).first()).toBeVisible();
  await submitLogin(page, ADMIN, NEW_PASSWORD);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();

  await page.goto('/add-teacher');
  await page.getByLabel('Email of teacher 1').fill(TEACHER);
  await page.getByLabel('Name of teacher 1').fill('Tomás O’Neill');
  await page.getByRole('button', { name: 'Send invitations' }).click();
  await expect(page.getByText('An invitation has been sent to the teachers').first()).toBeVisible();
  const link = await linkTo(TEACHER, '/invite/');
  await page.goto('/logout');
  await expect(page).toHaveURL(/\/login/);
  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1, name: 'Join Hazel Lane Primary' })).toBeVisible();
  await expect(page.getByText(TEACHER)).toBeVisible();

  // Emails are sent concurrently, so their order is not fixed.
  const subjects = mailbox.received.map(({ to, text }) => `${to.join()}: ${/^subject: (.+)/im.exec(text)?.[1]}`);
  expect(subjects.sort()).toEqual([
    `${ADMIN}: Choose a new password for Storylark`,
    `${ADMIN}: Confirm your email address for Storylark`,
    `${ADMIN}: Your Storylark password changed`,
    expect.stringContaining(`${TEACHER}: Rosa Field invites you`),
  ]);
});
