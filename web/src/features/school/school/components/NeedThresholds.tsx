import { Button } from '../../../../ui/Button.tsx';
import { lazy, useState } from 'react';
import { useSchoolId } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { offInWords, rulesInWords } from '../model/threshold-words.ts';
import { needThresholdsQuery } from '../school-details.api.ts';
import { Card } from '../../../../ui/Card.tsx';
import { WhileOpen } from './WhileOpen.tsx';
import css from './SchoolSettings.module.css';

const NeedThresholdsForm = lazy(() => import('./NeedThresholdsForm.tsx'));

/** The school's rules for who is on the list of pupils who need help. */
export function NeedThresholds({ canEdit }: { canEdit: boolean }) {
  const result = usePrefetchedQuery(needThresholdsQuery(useSchoolId()));
  const [isEditing, setEditing] = useState(false);
  const close = () => setEditing(false);
  const thresholds = result.data?.thresholds;
  return (
    <Card className={css.box} aria-labelledby="thresholds-title">
      <h2 id="thresholds-title">Who needs me</h2>
      {result.error && !thresholds && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />}
      {thresholds && (
        <>
          <p>A pupil is on the list who …</p>
          <ul className={css.rules}>
            {rulesInWords(thresholds).map((rule) => (
              <li key={rule}>{rule}</li>
            ))}
          </ul>
          <p className="soft measure">
            {offInWords(thresholds).join(' ')} We look at the last six weeks of a pupil’s reading, and at no fewer than
            100 words.
          </p>
          {canEdit ? (
            <Button variant="default" onClick={() => setEditing(true)}>
              Change who is on the list
            </Button>
          ) : (
            <WhileOpen>
              <p className="soft measure">Only an admin or a reading lead can change this.</p>
            </WhileOpen>
          )}
          <Dialog isOpen={isEditing} onClose={close} title="Who is on the list">
            <NeedThresholdsForm thresholds={thresholds} onClose={close} />
          </Dialog>
        </>
      )}
    </Card>
  );
}
