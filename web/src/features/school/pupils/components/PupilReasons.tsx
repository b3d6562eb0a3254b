import { useRef, useState } from 'react';
import type { NeedWithReason } from '#contract/calls/reading-needs.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import { Link } from '../../../../ui/Link.tsx';
import { useSchoolId } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Panel } from '../../../../ui/Panel.tsx';
import {
  describeResponse,
  DoneDialog,
  evidencePath,
  HiddenNeed,
  Improvement,
  NeedButtons,
  NeedHistory,
  useStaffName,
} from '../../../reading/reading-needs/reading-needs.public.ts';
import { pupilNeedsQuery } from '../../../reading/reading-needs/need-queries.public.ts';
import { NextStep } from './NextStep.tsx';
import { WhileOpen } from '../../school/school.public.ts';
import css from './PupilReasons.module.css';

/** Why a pupil needs help, what to do about each reason, and what was done. Absent for a pupil without any. */
export function PupilReasons({ pupil }: { pupil: Pupil }) {
  const result = usePrefetchedQuery(pupilNeedsQuery(useSchoolId(), pupil.id));
  const nameOf = useStaffName();
  const [done, setDone] = useState<NeedWithReason | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // The row with the focused button has been removed.
  const focusHeading = () => heading.current?.focus();
  if (!result.data) return result.error && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />;
  const { needs, hidden, improved, history, meta } = result.data;
  if (needs.length + hidden.length + improved.length + history.length === 0) return null;
  return (
    <Panel
      id="pupil-reasons"
      title="Why this pupil needs help"
      help="The reasons of “Who needs me”, from the last six weeks. Done hides a reason until the pupil has read three more times or two weeks have passed, Snooze for two weeks."
      headingRef={heading}
    >
      {needs.length === 0 && <p className="flat">No reason to help at the moment.</p>}
      {needs.length > 0 && (
        <ul className={css.reasons} aria-label="Reasons">
          {needs.map((need) => (
            <li key={need.evidence.kind}>
              <div className={css.why}>
                <Link to={evidencePath(pupil, need.evidence, meta)}>{need.reason}</Link>
                {need.tried && <span className="soft small block">{describeResponse(need.tried, nameOf)}</span>}
              </div>
              <div className={`row ${css.steps} no-print`}>
                <WhileOpen>
                  <NextStep pupil={pupil} need={need.evidence} level={meta.reading_level} days={meta} />
                  <NeedButtons pupil={pupil} need={need} onDone={() => setDone(need)} onSnoozed={focusHeading} />
                </WhileOpen>
              </div>
            </li>
          ))}
        </ul>
      )}
      {improved.map((response) => (
        <Improvement key={response.id} response={response} />
      ))}
      {hidden.length > 0 && (
        <ul className={css.reasons} aria-label="Done or snoozed">
          {hidden.map((hiddenNeed) => (
            <li key={hiddenNeed.response.id}>
              <HiddenNeed pupil={pupil} {...hiddenNeed} />
            </li>
          ))}
        </ul>
      )}
      <NeedHistory pupil={pupil} history={history} />
      <DoneDialog done={done && { pupil, need: done }} onClose={() => setDone(null)} onDone={focusHeading} />
    </Panel>
  );
}
