import { Button } from '../../../../ui/Button.tsx';
import { NativeSelect } from '../../../../ui/Field.tsx';
import { lazy, useState } from 'react';
import { NATION_NAMES } from '#contract/nations.ts';
import { academicYearName, HALF_TERMS, termYearOf } from '#contract/school-calendar.ts';
import { formatDate } from '../../../../shared/format.ts';
import { today } from '../../../../shared/school-day.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useSchool } from '../school.api.ts';
import { termDatesQuery, useRemoveTermDates } from '../term-dates.api.ts';
import { Card } from '../../../../ui/Card.tsx';
import { DaysOff } from './DaysOff.tsx';
import { WhileOpen } from './WhileOpen.tsx';
import css from './SchoolSettings.module.css';

const TermDatesForm = lazy(() => import('./TermDatesForm.tsx'));

/** The half-terms of an academic year: the usual dates until an admin sets the school's own. */
export function TermDates({ canEdit }: { canEdit: boolean }) {
  const schoolId = useSchoolId();
  const result = usePrefetchedQuery(termDatesQuery(schoolId));
  const remove = useRemoveTermDates(schoolId);
  const nation = useSchool()?.nation ?? null;
  const [chosenYear, setYear] = useState<number>();
  const year = chosenYear ?? termYearOf(today(), nation);
  const [isEditing, setEditing] = useState(false);
  const close = () => setEditing(false);
  const years = result.data?.years;
  const shown = years?.find(({ academic_year }) => academic_year === year);
  const name = academicYearName(year);

  return (
    <Card className={css.box} aria-labelledby="term-dates-title">
      <h2 id="term-dates-title">Term dates</h2>
      {result.error && !years && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />}
      {remove.error && <ErrorNotice error={remove.error} />}
      {years && (
        <NativeSelect
          label="Academic year"
          className={css.year}
          value={year}
          onChange={(event) => setYear(Number(event.currentTarget.value))}
          data={years.map(({ academic_year }) => ({
            value: String(academic_year),
            label: academicYearName(academic_year),
          }))}
        />
      )}
      {shown && (
        <>
          <dl className={`tiled ${css.terms}`}>
            {shown.half_terms.map(({ first_day, last_day }, index) => (
              <div key={first_day}>
                <dt>{HALF_TERMS[index]}</dt>
                <dd>
                  {formatDate(first_day)} to {formatDate(last_day)}
                </dd>
              </div>
            ))}
          </dl>
          <p className="soft measure">
            {shown.is_own
              ? 'These are your school’s dates.'
              : `These are the usual dates of ${NATION_NAMES[nation ?? 'england']}. ${canEdit ? 'Change them if yours are different: we' : 'We'} use them to count missed school days and half-terms.`}
          </p>
          {canEdit ? (
            <div className="cluster">
              <Button variant="default" onClick={() => setEditing(true)}>
                Change term dates
              </Button>
              {shown.is_own && (
                <Button
                  variant="subtle"
                  loading={remove.isPending}
                  onClick={() => remove.mutate(year, { onSuccess: () => showToast(`${name} now has the usual dates`) })}
                >
                  Use the usual dates
                </Button>
              )}
            </div>
          ) : (
            <WhileOpen>
              <p className="soft measure">Only an administrator can change them.</p>
            </WhileOpen>
          )}
          <DaysOff key={year} dates={shown} canEdit={canEdit} />
          <Dialog isOpen={isEditing} onClose={close} title={`Term dates of ${name}`}>
            <TermDatesForm dates={shown} onClose={close} />
          </Dialog>
        </>
      )}
    </Card>
  );
}
