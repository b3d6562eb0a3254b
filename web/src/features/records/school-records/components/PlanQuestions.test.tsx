// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import type { SchoolRecordsPlan } from '#contract/calls/school-records.ts';
import { renderInApp } from '../../../../testing/render-in-app.tsx';
import { type Choices, countChanges, NO_CHOICES, toAnswers } from '../model/answers.ts';
import { PlanQuestions } from './PlanQuestions.tsx';

const leavers = Array.from({ length: 60 }, (_, index) => ({
  source_id: `p-${index}`,
  pupil: index + 1,
  name: `Pupil ${index + 1}`,
  class: null,
  is_expected: false,
}));
const PLAN: SchoolRecordsPlan = {
  classes: [],
  joiners: [],
  returners: [],
  movers: [],
  names: [],
  leavers,
  differences: [],
  recognised: [],
  questions: [],
  choices: [],
  elsewhere: [],
  rejected: [],
  staff: [],
  missing_staff: [],
  on_hold: null,
};

function Page() {
  const [choices, setChoices] = useState<Choices>(NO_CHOICES);
  return (
    <>
      <p>{choices.leavers.size} ticked</p>
      <PlanQuestions
        source="the file"
        plan={PLAN}
        choices={choices}
        onChange={(part) => setChoices((before) => ({ ...before, ...part }))}
      />
    </>
  );
}

const rows = () => document.querySelectorAll('li');

it('a part of a plan shows 50 of 60 rows until the user shows all, and answers apply to all rows', async () => {
  const { user } = renderInApp(<Page />, '/');
  expect(screen.getByRole('heading', { name: 'Leavers (60)' })).toBeTruthy();
  expect(rows()).toHaveLength(50);
  await user.click(screen.getByRole('checkbox', { name: 'Pupil 3' }));
  await user.click(screen.getByRole('button', { name: 'Show all 60 pupils' }));
  expect(rows()).toHaveLength(60);
  expect(screen.getByLabelText('Pupil 3')).toHaveProperty('checked', true);
  expect(screen.getByLabelText('Pupil 60')).toHaveProperty('checked', false);
  await user.click(screen.getByRole('button', { name: 'Show the first 50' }));
  expect(rows()).toHaveLength(50);
  await user.click(screen.getByRole('checkbox', { name: 'All of them have left' }));
  expect(screen.getByText('60 ticked')).toBeTruthy();
});

it('each member of staff whom the records no longer name can be removed, kept, or decided later', async () => {
  const staff = [
    { user: 5, name: 'Jo Reed' },
    { user: 6, name: 'Al Fox' },
  ];
  const plan = { ...PLAN, leavers: [], missing_staff: staff };
  function StaffPage() {
    const [choices, setChoices] = useState<Choices>(NO_CHOICES);
    const change = (part: Partial<Choices>) => setChoices((before) => ({ ...before, ...part }));
    const { removed_staff: removed, kept_staff: kept } = toAnswers('v', choices);
    return (
      <>
        <p>
          removed {removed.join()}, kept {kept.join()}, changes {countChanges(plan, choices)}
        </p>
        <PlanQuestions source="the file" plan={plan} choices={choices} onChange={change} />
      </>
    );
  }
  const { user } = renderInApp(<StaffPage />, '/');
  const answer = (name: string, choice: string) => user.selectOptions(screen.getByLabelText(name), choice);
  await answer('Jo Reed', 'Remove from the school');
  await answer('Al Fox', 'Keep');
  expect(screen.getByText('removed 5, kept 6, changes 1')).toBeTruthy();
  await answer('Jo Reed', 'Decide later');
  expect(screen.getByText('removed , kept 6, changes 0')).toBeTruthy();
});
