// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { renderInApp } from '../../../../testing/render-in-app.tsx';
import { TermsBoxes } from './TermsBoxes.tsx';

it('links the documents beside the boxes by which they are accepted', () => {
  const labels = { accept_eula: 'Accept EULA', accepts_ts_and_cs: 'Accepts Ts and Cs' };
  const { getByRole, getAllByRole } = renderInApp(<TermsBoxes field={() => ({})} labels={labels} />);
  getByRole('checkbox', { name: 'Accept EULA' });
  getByRole('checkbox', { name: 'Accepts Ts and Cs' });
  const links = getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    ['the licence agreement', '/licence'],
    ['the terms and conditions', '/terms'],
    ['the privacy policy', '/privacy'],
  ]);
});
