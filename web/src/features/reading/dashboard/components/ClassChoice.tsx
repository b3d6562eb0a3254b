import { NativeSelect } from '../../../../ui/Field.tsx';
import type { School } from '#contract/calls/school.ts';
import { count } from '../../../../shared/format.ts';
import { useSearchParamDraft } from '../../../../shared/use-search-param-draft.ts';
import { QueryForm } from '../../../../ui/QueryForm.tsx';
import type { useDashboardScope } from '../model/use-dashboard-scope.ts';
import css from '../DashboardPage.module.css';

interface Props {
  scope: Pick<ReturnType<typeof useDashboardScope>, 'isClassMissing' | 'ownClass' | 'scopeName'>;
  classes: School['groups'];
}

/** The class that the dashboard shows. */
export function ClassChoice({ scope, classes }: Props) {
  const { isClassMissing, ownClass, scopeName } = scope;
  const { draft, commit } = useSearchParamDraft('class');
  return (
    <QueryForm sets={['class']} action="Show" className={css.class}>
      <NativeSelect
        label="Class"
        name="class"
        className={css.field}
        value={isClassMissing || draft === String(ownClass?.id) ? '' : draft}
        onChange={(event) => commit(event.currentTarget.value)}
        data={[
          { value: '', label: isClassMissing ? 'Choose a class' : scopeName },
          ...classes
            .filter((schoolClass) => schoolClass !== ownClass)
            .map(({ id, name, readers_count: pupilCount }) => ({
              value: String(id),
              label: `${name} (${count(pupilCount, 'pupil')})`,
            })),
        ]}
      />
    </QueryForm>
  );
}
