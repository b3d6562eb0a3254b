// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInApp } from '../testing/render-in-app.tsx';
import { ChartPanel } from './ChartPanel.tsx';

const panel = { title: 'Accuracy over time', name: 'accuracy', definition: 'Words', table: <table /> };

it('a chart without data shows “There is nothing here”, and one with data does not', () => {
  const { unmount } = renderInApp(
    <ChartPanel {...panel} isEmpty>
      The chart
    </ChartPanel>,
  );
  expect(screen.getByText('There is nothing here')).toBeTruthy();
  expect(screen.queryByText('The chart')).toBeNull();
  unmount();
  renderInApp(<ChartPanel {...panel}>The chart</ChartPanel>);
  expect(screen.getByText('The chart')).toBeTruthy();
  expect(screen.queryByText('There is nothing here')).toBeNull();
});
