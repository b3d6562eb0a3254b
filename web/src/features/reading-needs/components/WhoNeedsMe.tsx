import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { lazy, useRef, useState } from 'react';
import { type PupilInNeed, readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import { download } from '../../../shared/download.ts';
import { count } from '../../../shared/format.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { useDelayed } from '../../../ui/use-delayed.ts';
import { needsQuery, printInput } from '../reading-needs.api.ts';
import { DismissedPupils } from './DismissedPupils.tsx';
import { NeedRow } from './NeedRow.tsx';
import css from './WhoNeedsMe.module.css';

/** Pupils that are named before somebody asks for all. */
const FIRST = 8;

const DismissForm = lazy(() => import('./DismissForm.tsx'));

interface Props {
  classId?: number | undefined;
  /** Each pupil's class is said: the list may be of several. */
  showsClass?: boolean;
}

/** Which pupils need somebody, each with one plain reason, those first who need it most. Without a class: of all that the person sees. */
export function WhoNeedsMe({ classId, showsClass = false }: Props) {
  const schoolId = useSchoolId();
  const [isAll, setAll] = useState(false);
  const [dismissing, setDismissing] = useState<PupilInNeed | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const close = () => setDismissing(null);
  const found = useQuery({ ...needsQuery(schoolId, classId, isAll), placeholderData: keepPreviousData });
  const isLate = useDelayed(found.isPending);
  const list = found.data;
  const shown = isAll ? list?.readers : list?.readers.slice(0, FIRST);
  const left = list && shown ? list.meta.total - shown.length : 0;

  return (
    <Panel
      id="who-needs-me"
      title="Who needs me"
      help="Pupils who have not read for some school days, who read their level with difficulty, whose accuracy falls, who stumble over the same words, who begin a book again and again, or who have no book. How a pupil reads is judged on the last six weeks, and never on fewer than 100 words."
      headingRef={heading}
      actions={list && list.meta.total > 0 && <PrintList classId={classId} />}
      aria-busy={found.isFetching && found.isPlaceholderData}
    >
      {found.error && !list && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {!list && !found.error && (
        <div className={css.waiting} data-late={isLate || undefined} role="status" aria-label="Loading who needs me" />
      )}
      {list && shown && (
        <>
          {shown.length > 0 ? (
            <ul className={css.list} aria-label="Pupils who need somebody">
              {shown.map((pupil) => (
                <NeedRow
                  key={pupil.id}
                  pupil={pupil}
                  days={list.meta}
                  showsClass={showsClass}
                  onDismiss={() => setDismissing(pupil)}
                />
              ))}
            </ul>
          ) : (
            <p className={css.nobody}>Nobody needs anything in particular today.</p>
          )}
          {left > 0 && (
            <Button
              className="flush no-print"
              variant="subtle"
              loading={found.isPlaceholderData}
              onClick={() => setAll(true)}
            >
              Show all {count(list.meta.total, 'pupil')}
            </Button>
          )}
          {list.meta.too_little > 0 && (
            <p className={css.note}>
              {list.meta.too_little === 1 ? '1 pupil has' : `${count(list.meta.too_little, 'pupil')} have`} read fewer
              than 100 words in six weeks: too few to say how.
            </p>
          )}
          <DismissedPupils pupils={list.dismissed} />
        </>
      )}
      <Dialog isOpen={dismissing !== null} onClose={close} title={`Dismiss ${dismissing?.name ?? ''} for two weeks?`}>
        {dismissing && (
          <DismissForm
            pupil={dismissing}
            onClose={close}
            onDone={() => {
              close();
              // The row with the button that was pressed is gone.
              heading.current?.focus();
            }}
          />
        )}
      </Dialog>
    </Panel>
  );
}

/** Saves the list as a PDF with a box to tick for each pupil. */
function PrintList({ classId }: { classId: number | undefined }) {
  const schoolId = useSchoolId();
  const file = useMutation({
    mutationFn: () =>
      download(readingNeedsCalls.listReadingNeeds.path, printInput(schoolId, classId), 'who-needs-me.pdf'),
  });
  return (
    <>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconPrinter size={18} aria-hidden />}
        loading={file.isPending}
        onClick={() => file.mutate()}
      >
        Print list
      </Button>
      {file.error && <ErrorNotice error={file.error} />}
    </>
  );
}
