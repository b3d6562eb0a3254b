// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { makeUser } from '../../../testing/make-school.ts';

/** The app as it loads with the settings of a company that hosts its files elsewhere. */
const loadApp = async () => ({
  ...(await import('../../../testing/render-in-app.tsx')),
  ...(await import('../../../shell/HelpLinks.tsx')),
  ContactPage: (await import('./ContactPage.tsx')).default,
  TemplatesPage: (await import('./TemplatesPage.tsx')).default,
});
let app: Awaited<ReturnType<typeof loadApp>>;

// The settings are read when the modules load, so no file may share the modules of this one.
beforeAll(async () => {
  vi.resetModules();
  vi.stubGlobal('__PORTAL__', {
    support: { email: 'help@portal.example', phone: '0161 496 0000' },
    staticFilesUrl: 'https://files.example',
  });
  app = await loadApp();
});
afterAll(() => void vi.resetModules());

it('templates, certificates and the guide link to the host of static files', () => {
  const { HelpLinks, TemplatesPage, renderInApp, signIn } = app;
  signIn(makeUser());
  renderInApp(
    <>
      <HelpLinks screen={undefined} />
      <TemplatesPage />
    </>,
  );
  const files = screen.getAllByRole('link').filter((link) => link.hasAttribute('download'));
  expect(files.map((link) => link.getAttribute('href'))).toEqual([
    'https://files.example/user-guide.pdf',
    'https://files.example/pupils.xlsx',
    'https://files.example/teachers.xlsx',
    'https://files.example/certificates/book-worm.pdf',
    'https://files.example/certificates/class-of-the-week.pdf',
    'https://files.example/certificates/improved-reader.pdf',
    'https://files.example/certificates/next-level-reader.pdf',
    'https://files.example/certificates/reader-of-the-week.pdf',
    'https://files.example/certificates/superstar-reader.pdf',
  ]);
});

it('the contact page has the phone number and the email address of the company’s support', async () => {
  // The message's field resizes itself once the fonts have loaded.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(document, 'fonts'));
  const { ContactPage, renderInApp, signIn } = app;
  signIn(makeUser());
  renderInApp(<ContactPage />);
  expect(screen.getByRole('link', { name: '0161 496 0000' }).getAttribute('href')).toBe('tel:01614960000');
  expect(screen.getByRole('link', { name: 'help@portal.example' }).getAttribute('href')).toBe(
    'mailto:help@portal.example',
  );
});
