// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { renderInApp } from '../testing/render-in-app.tsx';
import type { DayRange } from './date-range.ts';
import { DateRangePanel } from './DateRangePanel.tsx';

const VALUE = { from: '2026-11-01', to: '2026-11-02' };

it('the panel of dates offers days from 1 January 2018 until today, and rejects others', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-23T12:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const choose = vi.fn<(range: DayRange) => void>();
  const { user } = renderInApp(<DateRangePanel value={VALUE} more={[]} onClose={() => undefined} onChoose={choose} />);
  const fields = [await screen.findByLabelText('From'), screen.getByLabelText('To')];
  for (const field of fields) {
    expect(field.getAttribute('min')).toBe('2018-01-01');
    expect(field.getAttribute('max')).toBe('2026-11-23');
  }
  for (const field of fields) fireEvent.change(field, { target: { value: '2017-12-31' } });
  await user.click(screen.getByRole('button', { name: 'Apply' }));
  await screen.findByText('Choose dates between 1 January 2018 and today.');
  expect(choose).not.toHaveBeenCalled();
  for (const field of fields) fireEvent.change(field, { target: { value: '2018-01-01' } });
  await user.click(screen.getByRole('button', { name: 'Apply' }));
  expect(choose).toHaveBeenCalledWith({ from: '2018-01-01', to: '2018-01-01' });
});
