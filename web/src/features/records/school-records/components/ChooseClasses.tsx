import { Button } from '../../../../ui/Button.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { useState } from 'react';
import type { SchoolRecordsConnection, ConnectionTest } from '#contract/calls/school-records.ts';
import { count } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../../ui/toasts.ts';
import { yearName } from '../model/connection-text.ts';
import { useSetConnection } from '../school-records.api.ts';
import css from './ConnectionSection.module.css';

interface Props {
  connection: SchoolRecordsConnection;
  found: ConnectionTest;
  onClose: () => void;
}

/** The classes and year groups that a test found, of which an admin chooses those to read. */
export function ChooseClasses({ connection, found, onClose }: Props) {
  const set = useSetConnection(useSchoolId());
  const [years, setYears] = useState(() => connection.school_years.map(String));
  const [classes, setClasses] = useState(() => connection.classes.map(({ source_id: id }) => id));
  const save = () =>
    set.mutate(
      {
        school_years: found.school_years
          .map(({ school_year: year }) => year)
          .filter((year) => years.includes(String(year))),
        classes: found.classes
          .filter(({ source_id: id }) => classes.includes(id))
          .map(({ source_id, name }) => ({ source_id, name })),
      },
      {
        onSuccess: () => {
          showToast(DEFAULT_SUCCESS, { detail: 'Your choice has been saved' });
          onClose();
        },
      },
    );
  return (
    <div className={css.choice}>
      <p className={css.note}>
        Choose the year groups and classes that use the portal. Without a choice we read all of them. Pupils outside
        your choice are left alone.
      </p>
      {found.school_years.length > 0 && (
        <fieldset>
          <legend>Year groups</legend>
          <Checkbox.Group value={years} onChange={setYears}>
            <div className={css.options}>
              {found.school_years.map(({ school_year: year, pupils }) => (
                <Checkbox key={year} value={String(year)} label={`${yearName(year)}, ${count(pupils, 'pupil')}`} />
              ))}
            </div>
          </Checkbox.Group>
        </fieldset>
      )}
      <fieldset>
        <legend>Classes</legend>
        <Checkbox.Group value={classes} onChange={setClasses}>
          <div className={css.options}>
            {found.classes.map(({ source_id: sourceId, name, pupils }) => (
              <Checkbox key={sourceId} value={sourceId} label={`${name}, ${count(pupils, 'pupil')}`} />
            ))}
          </div>
        </Checkbox.Group>
      </fieldset>
      {set.error && <ErrorNotice error={set.error} />}
      <div className={css.buttons}>
        <Button variant="default" loading={set.isPending} onClick={save}>
          Save this choice
        </Button>
        <Button variant="subtle" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}
