import { NativeSelect } from '../../../../ui/Field.tsx';
import { QueryForm } from '../../../../ui/QueryForm.tsx';
import type { TableControls } from '../../../../ui/use-table-state.ts';
import { ACCURACY_CHOICES, ACCURACY_FILTER, readAccuracyFilter } from '../model/accuracy-filter.ts';

/** Filters the pupils of a class by their accuracy of the last six weeks. */
export const AccuracyFilter = ({ controls }: { controls: TableControls }) => (
  <QueryForm sets={[ACCURACY_FILTER]} action="Show these pupils" className="no-print">
    <NativeSelect
      aria-label="Accuracy, six weeks"
      name={ACCURACY_FILTER}
      value={readAccuracyFilter(controls.tableState.filters[ACCURACY_FILTER]) ?? ''}
      onChange={(event) => controls.setFilter(ACCURACY_FILTER, event.currentTarget.value)}
      data={[{ value: '', label: 'Any accuracy' }, ...ACCURACY_CHOICES]}
    />
  </QueryForm>
);
