import { describeNeed } from '#contract/reading-sentence.ts';
import { Button } from '../../../../ui/Button.tsx';
import { IconPrinter } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import { download } from '../../../../shared/download.ts';
import { count } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Panel } from '../../../../ui/Panel.tsx';
import { useDelayed } from '../../../../ui/use-delayed.ts';
import { useIsPrinting } from '../../../../ui/use-is-printing.ts';
import { needsQuery, printInput } from '../reading-needs.api.ts';
import { describeWeek } from '../model/headline.ts';
import { describeWorst, INITIAL_PUPILS } from '../model/worst-first.ts';
import { DoneDialog, type DoneNeed } from './DoneDialog.tsx';
import { HiddenNeeds } from './HiddenNeeds.tsx';
import { Improved } from './Improved.tsx';
import { NeedRow } from './NeedRow.tsx';
import { NotRead } from './NotRead.tsx';
import { useLoadingAnnouncement } from '../../../../ui/use-announcement.ts';
import css from './WhoNeedsMe.module.css';

interface Props {
  classId?: number | undefined;
  /** Shows each pupil's class, because the list covers several. */
  showsClass?: boolean;
  /** The page begins with the week's sentence, which opens the list. */
  isFolded?: boolean;
  /** False beside a picture of another week, which has a sentence of its own. */
  hasWeek?: boolean;
}

const showOthers = (others: number): string => (others === 1 ? 'Show the other pupil' : `Show the other ${others}`);

/** Pupils who need help, each with one reason, the most urgent first. Without a class: all pupils the user may see. */
export function WhoNeedsMe({ classId, showsClass = false, isFolded = false, hasWeek = true }: Props) {
  const schoolId = useSchoolId();
  const [isAll, setAll] = useState(false);
  const [done, setDone] = useState<DoneNeed | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const close = () => setDone(null);
  // The row with the focused button has been removed.
  const focusHeading = () => heading.current?.focus();
  const found = useQuery({
    ...needsQuery(schoolId, classId, isAll),
    placeholderData: keepPreviousData,
  });
  const isLate = useDelayed(found.isPending);
  useLoadingAnnouncement(found.isPending, 'Loading who needs me');
  const list = found.data;
  const isPrinting = useIsPrinting();
  const counts = { inNeed: list?.meta.total ?? 0, pupils: list?.week.pupils ?? 0 };
  const shown = isAll || isPrinting ? list?.readers : list?.readers.slice(0, INITIAL_PUPILS);
  const left = list && shown ? list.meta.total - shown.length : 0;
  const worst = isAll ? undefined : describeWorst(counts);

  const headline =
    list && list.week.pupils > 0
      ? [...(hasWeek ? [describeWeek(list.week)] : []), `${describeNeed(list.meta.total)}.`].join(' ')
      : undefined;
  return (
    <Fold isFolded={isFolded} headline={headline}>
      <Panel
        id="who-needs-me"
        title="Who needs me"
        help="Pupils who have not read for several school days, find their level hard, are becoming less accurate, struggle with the same words, keep restarting a book or have no book. We look at the last six weeks, and only at pupils who have read at least 100 words."
        headingRef={heading}
        actions={list && list.meta.total > 0 && <PrintList classId={classId} />}
        isStale={found.isPlaceholderData}
      >
        {found.error && !list && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
        {!list && !found.error && <div className={css.waiting} data-stale={isLate || undefined} />}
        {list && shown && (
          <>
            {shown.length > 0 ? (
              <ul className={css.list} aria-label="Pupils who need help">
                {shown.map((pupil) => (
                  <NeedRow
                    key={pupil.id}
                    pupil={pupil}
                    days={list.meta}
                    showsClass={showsClass}
                    onDone={(need) => setDone({ pupil, need })}
                    onSnoozed={focusHeading}
                  />
                ))}
              </ul>
            ) : (
              <p className={css.none}>No one needs help today.</p>
            )}
            <div className={`row ${css.below}`}>
              {left > 0 && (
                <Button
                  className="flush no-print"
                  variant="subtle"
                  loading={found.isPlaceholderData}
                  onClick={() => setAll(true)}
                >
                  {worst ? showOthers(left) : `Show all ${count(list.meta.total, 'pupil')}`}
                </Button>
              )}
              {worst && <p className="soft small flat no-print">{worst}</p>}
              {left > 0 && (
                <p className={`soft small flat ${css.onPaper}`}>
                  {shown.length} of {count(list.meta.total, 'pupil')}
                </p>
              )}
              {list.meta.too_little > 0 && (
                <p className="soft small flat above-2xs">
                  {list.meta.too_little === 1 ? '1 pupil has' : `${count(list.meta.too_little, 'pupil')} have`} read
                  fewer than 100 words in six weeks, which is too few to assess.
                </p>
              )}
            </div>
            <NotRead {...list.not_read} />
            <Improved pupils={list.improved} />
            <HiddenNeeds pupils={list.hidden} />
          </>
        )}
        <DoneDialog done={done} onClose={close} onDone={focusHeading} />
      </Panel>
    </Fold>
  );
}

interface FoldProps {
  isFolded: boolean;
  headline: string | undefined;
  children: ReactNode;
}

/** The week in one sentence, with the list below it or folded into it. */
const Fold = ({ isFolded, headline, children }: FoldProps) =>
  isFolded ? (
    <details className={css.fold}>
      <summary>
        {headline && <span className={`large strong ${css.headline}`}>{headline}</span>}{' '}
        <span className={`like-link nowrap ${css.open}`}>Who needs me</span>
      </summary>
      {children}
    </details>
  ) : (
    <>
      {headline && <p className={`large strong ${css.headline}`}>{headline}</p>}
      {children}
    </>
  );

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
