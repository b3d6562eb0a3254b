import { NativeSelect } from '@mantine/core';
import { pupilChoiceFilters } from '#contract/pupil-filters.ts';
import { QueryForm } from '../../../ui/QueryForm.tsx';
import type { TableControls } from '../../../ui/use-table-state.ts';
import css from './ReadingFilter.module.css';

/** Filters the pupils by what they have read. */
export const ReadingFilter = ({ controls }: { controls: TableControls }) => (
  <QueryForm sets={pupilChoiceFilters.map(({ name }) => name)} action="Show these pupils" className={css.filter}>
    {pupilChoiceFilters.map(({ name, label, allLabel, values }) => (
      <NativeSelect
        key={name}
        aria-label={label}
        name={name}
        value={controls.tableState.filters[name] ?? ''}
        onChange={(event) => controls.setFilter(name, event.currentTarget.value)}
        data={[{ value: '', label: allLabel }, ...values]}
      />
    ))}
  </QueryForm>
);
