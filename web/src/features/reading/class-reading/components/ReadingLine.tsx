import { Switch } from '../../../../ui/Checkbox.tsx';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import { useSearchParams } from '../../../../shared/router.ts';
import type { ReadingLine as Line } from '#contract/calls/class-reading.ts';
import { FIRST_DAY } from '#contract/limits.ts';
import { formatDayOfYear } from '../../../../shared/format.ts';
import { getPreference, setPreference } from '../../../../shared/preferences.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { addDays } from '../../../../ui/date-range.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { HelpText } from '../../../../ui/HelpText.tsx';
import { LarkMark } from '../../../../ui/LarkMark.tsx';
import { SearchParamsLink } from '../../../../ui/SearchParamsLink.tsx';
import { useDelayed } from '../../../../ui/use-delayed.ts';
import { readingLineQuery, weekInUrl } from '../class-reading.api.ts';
import { describeJoys, describeShownWeek, layOutPicture, summariseLine } from '../model/larks.ts';
import { LarkSky } from './LarkSky.tsx';
import css from './ReadingLine.module.css';

interface Props {
  /** Without it, every class the user may see is one lark; a teacher's only class is shown by pupil. */
  classId?: number | undefined;
}

/** The reading of one week as a picture: each pupil, or each class, is a lark placed by minutes read. */
export function ReadingLine({ classId }: Props) {
  const schoolId = useSchoolId();
  const week = weekInUrl(useSearchParams()[0]);
  const found = useQuery({
    ...readingLineQuery(schoolId, classId, week),
    placeholderData: keepPreviousData,
  });
  const isLate = useDelayed(found.isPlaceholderData);
  const line = found.data?.line;
  if (line?.readers.length === 0) return null;
  return (
    <section
      className={`sheet ${css.panel}`}
      aria-labelledby="reading-line"
      aria-busy={found.isPlaceholderData}
      data-stale={isLate || undefined}
    >
      {found.error && !line && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {line ? <Picture line={line} isChosen={week !== undefined} /> : <div className={css.waiting} />}
    </section>
  );
}

/** `isChosen`: the user has chosen the week. */
function Picture({ line, isChosen }: { line: Line; isChosen: boolean }) {
  const [isHidden, setHidden] = useState(() => getPreference('names') === 'hidden');
  const picture = useMemo(() => layOutPicture(line), [line]);
  const hide = (isOn: boolean) => {
    setPreference('names', isOn ? 'hidden' : null);
    setHidden(isOn);
  };
  const joys = describeJoys(line, isHidden);
  const next = addDays(line.from, 7);
  const before = addDays(line.from, -7);
  return (
    <>
      <header className={`row ${css.header}`}>
        <h2 id="reading-line">
          {line.is_current_week
            ? 'Reading this week'
            : `Reading from ${formatDayOfYear(line.from)} to ${formatDayOfYear(line.to)}`}
        </h2>
        <HelpText about="the larks">
          {line.of === 'pupils'
            ? 'Each lark is a pupil. The further right, the more minutes they read in the week. The number is their reading level. Pupils who did not read are on the ground at the left. Half of the class read less than the median.'
            : 'Each lark is a class. The further right, the more minutes its pupils read on average in the week. The number is the median of their reading levels. Classes in which no one read are on the ground at the left. Half of all pupils read less than the median.'}
        </HelpText>
        <nav className={`${css.weeks} no-print`} aria-label="Week">
          {before >= FIRST_DAY && (
            <SearchParamsLink changes={{ week: before }} replace aria-label="Previous week">
              <IconChevronLeft size={20} aria-hidden />
            </SearchParamsLink>
          )}
          {!line.is_current_week && (
            <SearchParamsLink changes={{ week: next }} replace aria-label="Next week">
              <IconChevronRight size={20} aria-hidden />
            </SearchParamsLink>
          )}
        </nav>
        <Switch
          className={`with-script ${css.switch} no-print`}
          size="sm"
          label="Hide names"
          checked={isHidden}
          onChange={(event) => hide(event.currentTarget.checked)}
        />
      </header>
      {isChosen && <p className={css.sentence}>{describeShownWeek(line)}</p>}
      {joys.length > 0 && (
        <p className={`small ${css.joy}`}>
          <LarkMark className={css.singing} size={22} /> {joys.join(' ')}
        </p>
      )}
      <LarkSky picture={picture} summary={summariseLine(line)} isNameless={isHidden} />
      {!isHidden && (
        <details className={`small ${css.list}`}>
          <summary>Show as a list</summary>
          <ul className="plain">
            {picture.larks.map(({ key, name, to, facts }) => (
              <li key={key}>
                <Link to={to}>{name}</Link>: {facts}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
