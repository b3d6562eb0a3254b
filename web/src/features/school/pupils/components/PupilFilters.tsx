import { NativeSelect } from '../../../../ui/Field.tsx';
import type { PupilTag } from '#contract/calls/pupil-tags.ts';
import { pupilChoiceFilters } from '#contract/pupil-filters.ts';
import { QueryForm } from '../../../../ui/QueryForm.tsx';
import type { TableControls } from '../../../../ui/use-table-state.ts';
import { TAG } from '../model/pupils-table.ts';
import css from './PupilFilters.module.css';

interface Props {
  controls: TableControls;
  /** Undefined for a user who may not filter by tag. */
  tags: readonly PupilTag[] | undefined;
}

/** Filters the pupils by what they have read, and by tag where the user sees any. */
export function PupilFilters({ controls, tags }: Props) {
  const { filters } = controls.tableState;
  const tag = filters[TAG];
  const isKnown = tags?.some(({ id }) => String(id) === tag);
  const selects = [
    ...pupilChoiceFilters,
    ...(tags && (tags.length > 0 || tag)
      ? [
          {
            name: TAG,
            label: 'Tag',
            allLabel: 'All tags',
            values: [
              ...tags.map(({ id, name }) => ({ value: String(id), label: name })),
              ...(tag && !isKnown ? [{ value: tag, label: 'A tag that you cannot see' }] : []),
            ],
          },
        ]
      : []),
  ];
  return (
    <QueryForm sets={selects.map(({ name }) => name)} action="Show these pupils" className={`cluster-m ${css.filter}`}>
      {selects.map(({ name, label, allLabel, values }) => (
        <NativeSelect
          key={name}
          aria-label={label}
          name={name}
          value={filters[name] ?? ''}
          onChange={(event) => controls.setFilter(name, event.currentTarget.value)}
          data={[{ value: '', label: allLabel }, ...values]}
        />
      ))}
    </QueryForm>
  );
}
