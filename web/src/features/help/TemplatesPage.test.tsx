// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi } from '../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../testing/make-school.ts';
import { renderInApp, signIn } from '../../testing/render-in-app.tsx';
import TemplatesPage from './TemplatesPage.tsx';

it('links the two spreadsheets and the six certificates to files of the portal, as downloads', async () => {
  signIn(makeUser());
  fakeApi({ 'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }) });
  renderInApp(<TemplatesPage />, '/templates');
  await screen.findByRole('heading', { name: 'Certificates' });
  const files = screen.getAllByRole('link').filter((link) => link.hasAttribute('download'));
  expect(files.map((link) => `${link.textContent} ${link.getAttribute('href')}`)).toEqual([
    'Pupil import spreadsheet (xlsx) /v1/templates/pupils.xlsx',
    'Teacher import spreadsheet (xlsx) /v1/templates/teachers.xlsx',
    'Book Worm (PDF) /v1/certificates/book-worm.pdf',
    'Class of the Week (PDF) /v1/certificates/class-of-the-week.pdf',
    'Improved Reader (PDF) /v1/certificates/improved-reader.pdf',
    'Next Level Reader (PDF) /v1/certificates/next-level-reader.pdf',
    'Reader of the Week (PDF) /v1/certificates/reader-of-the-week.pdf',
    'Superstar Reader (PDF) /v1/certificates/superstar-reader.pdf',
  ]);
});
