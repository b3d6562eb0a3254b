import { createServer } from 'node:http';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, expectAccessible, fillLogin, people, readMail, savePdf, test } from './portal.ts';
import { startPortal } from './server.ts';

test('a teacher finds help from a screen, by search, in the guide and in the FAQ', async ({ logIn }) => {
  const page = await logIn(people.teacher, '/pupils');

  await test.step('the question mark opens the screen’s section, which links onwards and back', async () => {
    await page.getByRole('link', { name: 'Help with this page' }).click();
    await expect(page).toHaveURL('/userguide/getting-the-most/classes-and-pupils');
    await expect(page.getByRole('heading', { level: 1, name: 'Keep classes and pupils up to date' })).toBeVisible();
    await page.getByRole('link', { name: 'Next Reset passwords and print login cards' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reset passwords and print login cards');
    await page.getByRole('link', { name: /^Previous/ }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Keep classes and pupils up to date');
    await page.getByRole('link', { name: 'Getting your school online' }).click();
    await expect(page.getByRole('link', { name: /^Previous/ })).toHaveCount(0);
  });

  await test.step('the guide is downloaded as a PDF', async () => {
    await savePdf(page, page.getByRole('link', { name: 'Download the user guide (PDF)' }));
  });

  await test.step('a video plays, with captions', async () => {
    await page.goto('/videoguides?video=see-how-a-class-reads');
    const video = page.getByRole('dialog', { name: 'See how a class reads' }).locator('video');
    await expect
      .poll(() => video.evaluate((player: HTMLVideoElement) => player.readyState >= 2 && player.currentTime > 0))
      .toBe(true);
    expect(await video.evaluate((player: HTMLVideoElement) => player.videoWidth)).toBeGreaterThan(600);
    await expect
      .poll(() => video.evaluate((player: HTMLVideoElement) => player.textTracks[0]?.cues?.length ?? 0))
      .toBeGreaterThan(2);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL('/videoguides');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('the command palette finds a help page', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('forgotten their password');
    await page.getByRole('option', { name: /A pupil has forgotten/ }).click();
    await expect(page).toHaveURL('/faq/1');
    await expect(page.getByText('No one can look up an old password')).toBeVisible();
  });
});

test('a teacher makes a certificate, downloads a template and contacts the company', async ({ logIn, portal }) => {
  const page = await logIn(people.admin, '/classes/2');

  await test.step('a certificate for each pupil of a class', async () => {
    await page.getByLabel(/^More to do with/).click();
    await page.getByRole('button', { name: 'Certificate' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Certificate', { exact: true }).selectOption('Superstar Reader');
    await dialog.getByLabel('Reason (optional)').fill('For reading every day');
    await expectAccessible(page);
    await savePdf(page, dialog.getByRole('button', { name: 'Download certificate' }));
    await expect(dialog).toHaveCount(0);
  });

  await test.step('a template', async () => {
    await page.goto('/templates');
    await savePdf(page, page.getByRole('link', { name: 'Book Worm (PDF)' }));
  });

  await test.step('a question', async () => {
    await page.goto('/contact');
    await page.getByRole('button', { name: 'Send message' }).click();
    await expect(page.getByText('There is a problem')).toBeVisible();
    await page.getByLabel('Subject').fill('Plastic cards');
    await page.getByLabel('Message').fill('Can we order them?');
    await page.getByRole('button', { name: 'Send message' }).click();
    await expect(page.getByText(`We’ll reply to ${people.admin}.`)).toBeVisible();
    const outbox = join(portal.folder, 'outbox');
    // The first email creates the folder.
    const mails = () =>
      existsSync(outbox) ? readdirSync(outbox).map((name) => readMail(readFileSync(join(outbox, name), 'utf8'))) : [];
    await expect.poll(() => mails().filter((mail) => mail.includes('Plastic cards')).length).toBe(1);
    expect(mails().find((mail) => mail.includes('Plastic cards'))).toContain(`Reply-To: ${people.admin}`);
  });
});

test('a form on another site is shown in a frame with the user’s details and its own height', async ({ page }) => {
  // Like a real form: it shows what it received and posts its height.
  const form = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<title>Form</title><p>${new URL(request.url ?? '', 'http://form').searchParams.get('school_name')}</p><script>parent.postMessage({ height: 811 }, '*')</script>`,
    );
  });
  await new Promise<void>((done) => form.listen(0, '127.0.0.1', done));
  const address = form.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const portal = await startPortal({
    ENQUIRY_FORM_URL: `http://127.0.0.1:${port}/form`,
    SUPPORT_EMAIL: 'help@portal.example',
    SUPPORT_PHONE: '0161 496 0000',
  });
  try {
    await fillLogin(page, people.admin, portal.url);
    await page.goto(`${portal.url}/contact`);
    await expect(page.frameLocator('iframe').getByText('Willowbank Primary School')).toBeVisible();
    await expect(page.getByTitle('Enquiry form')).toHaveAttribute('height', '811');
    for (const name of ['0161 496 0000', 'help@portal.example'])
      await expect(page.getByRole('main').getByRole('link', { name })).toBeVisible();
  } finally {
    await portal.stop();
    form.close();
  }
});
