// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { expect, it, vi } from 'vitest';
import type { ColumnRole, ImportColumn } from '#contract/calls/pupil-import.ts';
import { renderInApp } from '../../../../testing/render-in-app.tsx';
import { UnderstoodColumns } from './UnderstoodColumns.tsx';

const column = (index: number, header: string, role: ColumnRole, isRemembered = false): ImportColumn => ({
  index,
  letter: 'ABCD'[index] ?? '',
  header,
  role,
  is_remembered: isRemembered,
  samples: ['a sample'],
});

const render = () => {
  const onRoles = vi.fn<ComponentProps<typeof UnderstoodColumns>['onRoles']>();
  const columns = [
    column(0, 'Pupil', 'name'),
    column(1, 'Nest', 'class', true),
    column(2, 'DOB', 'birth_date'),
    column(3, 'Support', 'tag:4'),
  ];
  const sheet = {
    name: '',
    used: true,
    can_use: true,
    pupils: 3,
    note: null,
    header_row: 1,
    class_from: 'column' as const,
    columns,
  };
  const draft = {
    understood: {
      format: 'csv' as const,
      layout: 'table' as const,
      layouts: [],
      sheets: [sheet],
      questions: [],
      tags: [{ id: 4, name: 'EAL' }],
    },
    isEdited: false,
  };
  return { onRoles, ...renderInApp(<UnderstoodColumns draft={draft} onRoles={onRoles} isBusy={false} />, '/') };
};

it('the review of columns names the role of each, marks remembered ones, and shows no dates of birth', () => {
  render();
  expect(
    screen.getByText(
      'Name from column A, class from column B (as last time), date of birth from column C, tag: EAL from column D.',
    ),
  ).toBeTruthy();
  expect(screen.getAllByText('As last time')).toHaveLength(1);
  expect(screen.getAllByText('a sample')).toHaveLength(3);
  expect(screen.getByText('To recognise pupils. Not stored.')).toBeTruthy();
});

it('choosing the role of a column reports its header, and the column that had the role is ignored', async () => {
  const { user, onRoles } = render();
  await user.click(screen.getByText('Change'));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Column D Support' }), 'Class');
  expect(onRoles).toHaveBeenCalledWith(['name', 'ignored', 'birth_date', 'class'], {
    header: 'Support',
    role: 'class',
  });
});
