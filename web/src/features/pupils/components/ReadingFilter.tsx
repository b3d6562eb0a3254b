import { NativeSelect } from '@mantine/core';
import { LEVELS } from '#contract/limits.ts';
import { QueryForm } from '../../../ui/QueryForm.tsx';
import type { TableControls } from '../../../ui/use-table-state.ts';
import { NOT_READ_DAYS, THIS_WEEK } from '../model/pupils-table.ts';
import css from './ReadingFilter.module.css';

/** Which pupils a list shows by what they read: who has not read for days, and who reads on a level. */
export function ReadingFilter({ controls }: { controls: TableControls }) {
  const { not_read_days = '', level = '' } = controls.tableState.filters;
  return (
    <QueryForm sets={['not_read_days', 'level']} action="Show these pupils" className={css.filter}>
      <NativeSelect
        aria-label="Level"
        name="level"
        value={level}
        onChange={(event) => controls.setFilter('level', event.currentTarget.value)}
        data={[
          { value: '', label: 'All levels' },
          ...LEVELS.map((one) => ({ value: String(one), label: `Level ${one}` })),
        ]}
      />
      <NativeSelect
        aria-label="Reading"
        name="not_read_days"
        value={not_read_days}
        onChange={(event) => controls.setFilter('not_read_days', event.currentTarget.value)}
        data={[
          { value: '', label: 'Any reading' },
          { value: THIS_WEEK, label: 'Not read this week' },
          ...NOT_READ_DAYS.map((days) => ({ value: days, label: `Not read for ${days} days` })),
        ]}
      />
    </QueryForm>
  );
}
