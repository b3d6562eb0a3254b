import { Button } from '../../../../ui/Button.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { useState } from 'react';
import type { SchoolRecordsConnection, ConnectionTest } from '#contract/school-records-connection.ts';
import { count } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { DEFAULT_SUCCESS, showToast } from '../../../../ui/toasts.ts';
import { toggled } from '../model/answers.ts';
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
  const [years, setYears] = useState<ReadonlySet<number>>(() => new Set(connection.school_years));
  const [classes, setClasses] = useState<ReadonlySet<string>>(
    () => new Set(connection.classes.map(({ source_id: id }) => id)),
  );
  const save = () =>
    set.mutate(
      {
        school_years: found.school_years.map(({ school_year: year }) => year).filter((year) => years.has(year)),
        classes: found.classes
          .filter(({ source_id: id }) => classes.has(id))
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
      <p className="soft flat below-m">
        Choose the year groups and classes that use the portal. Without a choice we read all of them. Pupils outside
        your choice are left alone.
      </p>
      {found.school_years.length > 0 && (
        <fieldset>
          <legend>Year groups</legend>
          <div className={`tiled ${css.options}`}>
            {found.school_years.map(({ school_year: year, pupils }) => (
              <Checkbox
                key={year}
                label={`${yearName(year)}, ${count(pupils, 'pupil')}`}
                checked={years.has(year)}
                onChange={({ currentTarget }) => setYears(toggled(years, [year], currentTarget.checked))}
              />
            ))}
          </div>
        </fieldset>
      )}
      <fieldset>
        <legend>Classes</legend>
        <div className={`tiled ${css.options}`}>
          {found.classes.map(({ source_id: sourceId, name, pupils }) => (
            <Checkbox
              key={sourceId}
              label={`${name}, ${count(pupils, 'pupil')}`}
              checked={classes.has(sourceId)}
              onChange={({ currentTarget }) => setClasses(toggled(classes, [sourceId], currentTarget.checked))}
            />
          ))}
        </div>
      </fieldset>
      {set.error && <ErrorNotice error={set.error} />}
      <div className="cluster above-m below-m">
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
