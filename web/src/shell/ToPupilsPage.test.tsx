// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderRoutes } from '../testing/render-in-app.tsx';
import ToPupilsPage from './ToPupilsPage.tsx';

it('/school/readers redirects to the list of pupils', async () => {
  renderRoutes(
    [
      { path: '/school/readers', Component: ToPupilsPage },
      { path: '/pupils', element: <h1>Pupils</h1> },
    ],
    '/school/readers',
  );
  expect(await screen.findByRole('heading', { name: 'Pupils' })).toBeTruthy();
});
