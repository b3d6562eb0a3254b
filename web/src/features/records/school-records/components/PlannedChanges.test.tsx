// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import type { SchoolRecordsPlan } from '#contract/calls/school-records.ts';
import { renderInApp } from '../../../../testing/render-in-app.tsx';
import { type Choices, NO_CHOICES } from '../model/answers.ts';
import { PlannedChanges } from './PlannedChanges.tsx';

const PLAN = {
  joiners: ['Ivy Nolan', 'Ned Oakes'].map((name) => ({ source_id: name, pupil: null, name, class: null })),
  ...Object.fromEntries(
    ['classes', 'returners', 'movers', 'names', 'differences', 'recognised', 'elsewhere', 'rejected'].map((part) => [
      part,
      [],
    ]),
  ),
} as unknown as SchoolRecordsPlan;

function Page({ plan = PLAN }: { plan?: SchoolRecordsPlan }) {
  const [choices, setChoices] = useState<Choices>(NO_CHOICES);
  return (
    <>
      <p>Left out: {[...choices.leftOut].join(', ')}.</p>
      <p>Added: {[...choices.merges.keys()].join(', ')}.</p>
      <PlannedChanges
        source="the file"
        plan={plan}
        choices={choices}
        onChange={(part) => setChoices((before) => ({ ...before, ...part }))}
      />
    </>
  );
}

it('all joiners are ticked, and the user can leave one or all of them out', async () => {
  const { user } = renderInApp(<Page />, '/');
  const boxes = () => screen.getAllByRole<HTMLInputElement>('checkbox').map(({ checked }) => checked);
  expect(boxes()).toEqual([true, true, true]);
  await user.click(screen.getByRole('checkbox', { name: 'Ned Oakes' }));
  expect(screen.getByText('Left out: Ned Oakes.')).toBeTruthy();
  await user.click(screen.getByRole('checkbox', { name: 'Add all of them' }));
  expect(boxes()).toEqual([true, true, true]);
  await user.click(screen.getByRole('checkbox', { name: 'Add all of them' }));
  expect(screen.getByText('Left out: Ivy Nolan, Ned Oakes.')).toBeTruthy();
});

it('recognised pupils are folded, and one who is another child is added', async () => {
  const recognised = ['Ida', 'Ned'].map((name, index) => ({ source_id: name, pupil: index + 1, name, class: 'Wrens' }));
  const { user } = renderInApp(<Page plan={{ ...PLAN, joiners: [], recognised }} />, '/');
  expect(screen.getByRole('heading', { name: 'Recognised (2)' })).toBeTruthy();
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Ida' });
  const details = box.closest('details');
  expect(details?.open).toBe(false);
  await user.click(screen.getByText('Show them'));
  expect(details?.open).toBe(true);
  expect(box.checked).toBe(true);
  await user.click(box);
  expect(screen.getByText('Added: Ida.')).toBeTruthy();
  await user.click(screen.getByRole('checkbox', { name: 'All of them are the same' }));
  expect(screen.getByText('Added: .')).toBeTruthy();
});
