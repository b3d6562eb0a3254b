// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { makeUser } from '../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../testing/render-in-app.tsx';
import TemplatesPage from './TemplatesPage.tsx';

/** The files to download under a heading, each with its URL. */
const filesUnder = (name: string) =>
  within(screen.getByRole('region', { name }))
    .getAllByRole<HTMLAnchorElement>('link')
    .filter((link) => link.hasAttribute('download'))
    .map((link) => [link.textContent, link.getAttribute('href')]);

it('the page of templates offers the spreadsheets to import pupils and teachers, and the six certificates', () => {
  signIn(makeUser());
  renderInApp(<TemplatesPage />);
  expect(filesUnder('Spreadsheets')).toEqual([
    ['Pupil import spreadsheet (xlsx)', '/v1/templates/pupils.xlsx'],
    ['Teacher import spreadsheet (xlsx)', '/v1/templates/teachers.xlsx'],
  ]);
  expect(filesUnder('Certificates')).toEqual([
    ['Book Worm (PDF)', '/v1/certificates/book-worm.pdf'],
    ['Class of the Week (PDF)', '/v1/certificates/class-of-the-week.pdf'],
    ['Improved Reader (PDF)', '/v1/certificates/improved-reader.pdf'],
    ['Next Level Reader (PDF)', '/v1/certificates/next-level-reader.pdf'],
    ['Reader of the Week (PDF)', '/v1/certificates/reader-of-the-week.pdf'],
    ['Superstar Reader (PDF)', '/v1/certificates/superstar-reader.pdf'],
  ]);
});
