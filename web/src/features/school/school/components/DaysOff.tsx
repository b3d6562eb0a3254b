import type { TermDates } from '#contract/calls/term-dates.ts';
import { academicYearName, MAX_DAYS_OFF } from '#contract/school-calendar.ts';
import { useState } from 'react';
import { formatDate } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { Button } from '../../../../ui/Button.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { TextInput } from '../../../../ui/Field.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useSaveDaysOff } from '../term-dates.api.ts';

/** The days without school within the half-terms of a year, such as INSET days. */
export function DaysOff({ dates, canEdit }: { dates: TermDates; canEdit: boolean }) {
  const { academic_year, days_off } = dates;
  const save = useSaveDaysOff(useSchoolId());
  const [day, setDay] = useState('');
  const change = (days: readonly string[], done: string) =>
    save.mutate(
      { academic_year, days: [...days] },
      {
        onSuccess: () => {
          setDay('');
          showToast(done);
        },
      },
    );
  return (
    <section className="above-2xl" aria-labelledby="days-off-title">
      <h3 id="days-off-title">INSET days and other days without school</h3>
      <p className="soft measure">
        {days_off.length === 0 ? `None in ${academicYearName(academic_year)}. ` : ''}
        We do not count them as school days.
      </p>
      {save.error && <ErrorNotice error={save.error} />}
      {days_off.length > 0 && (
        <ul className="plain">
          {days_off.map((off) => (
            <li key={off} className="cluster">
              {formatDate(off)}
              {canEdit && (
                <Button
                  variant="subtle"
                  disabled={save.isPending}
                  aria-label={`Remove ${formatDate(off)}`}
                  onClick={() =>
                    change(
                      days_off.filter((other) => other !== off),
                      `${formatDate(off)} is a school day again`,
                    )
                  }
                >
                  Remove
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {canEdit && days_off.length < MAX_DAYS_OFF && (
        <form
          className="cluster"
          onSubmit={(event) => {
            event.preventDefault();
            if (day !== '') change([...days_off, day].toSorted(), `${formatDate(day)} added`);
          }}
        >
          <TextInput
            type="date"
            label="Day without school"
            value={day}
            onChange={(event) => setDay(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={save.isPending}>
            Add the day
          </Button>
        </form>
      )}
    </section>
  );
}
