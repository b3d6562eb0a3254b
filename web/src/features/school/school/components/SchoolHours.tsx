import { lazy, useState } from 'react';
import { useSchoolId } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Card } from '../../../../ui/Card.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { schoolHoursQuery } from '../term-dates.api.ts';
import { WhileOpen } from './WhileOpen.tsx';
import css from './SchoolSettings.module.css';

const SchoolHoursForm = lazy(() => import('./SchoolHoursForm.tsx'));

/** The hours of a school day: the usual ones until an admin sets the school's own. */
export function SchoolHours({ canEdit }: { canEdit: boolean }) {
  const result = usePrefetchedQuery(schoolHoursQuery(useSchoolId()));
  const [isEditing, setEditing] = useState(false);
  const close = () => setEditing(false);
  const hours = result.data?.hours;
  return (
    <Card className={css.box} aria-labelledby="school-hours-title">
      <h2 id="school-hours-title">School hours</h2>
      {result.error && !hours && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />}
      {hours && (
        <>
          <p className="strong">
            {hours.from} to {hours.to}
          </p>
          <p className="soft measure">
            {hours.is_own ? 'These are your school’s hours.' : 'These are the usual hours.'} We use them to show how
            long pupils read in school and outside it.
          </p>
          {canEdit ? (
            <Button variant="default" onClick={() => setEditing(true)}>
              Change school hours
            </Button>
          ) : (
            <WhileOpen>
              <p className="soft measure">Only an administrator can change them.</p>
            </WhileOpen>
          )}
          <Dialog isOpen={isEditing} onClose={close} title="School hours">
            <SchoolHoursForm hours={hours} onClose={close} />
          </Dialog>
        </>
      )}
    </Card>
  );
}
