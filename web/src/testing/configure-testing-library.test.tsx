// @vitest-environment happy-dom
import { getConfig, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { announce } from '../shared/announcements.ts';
import { StatusRegion } from '../ui/StatusRegion.tsx';

it('waitFor and findBy wait up to 30 seconds in a file that configures nothing', () => {
  expect(getConfig().asyncUtilTimeout).toBe(30_000);
});

it('a text that is also announced is found once', async () => {
  render(
    <>
      <p>Saved</p>
      <StatusRegion />
    </>,
  );
  announce('Saved');
  expect(await screen.findAllByText('Saved', { ignore: false, selector: '[role="status"] > *' })).toHaveLength(1);
  expect(screen.getByText('Saved').className).toBe('');
});
