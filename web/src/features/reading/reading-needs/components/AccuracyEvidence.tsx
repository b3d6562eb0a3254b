import { Button } from '../../../../ui/Button.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import { paths } from '../../../../paths.ts';
import { calculateAccuracy } from '#contract/accuracy.ts';
import { count, formatAccuracy, formatDate, formatNumber } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import type { DayRange } from '../../../../ui/date-range.ts';
import { rangeInWords } from '../../../../ui/DateRange.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { LevelDot } from '../../../../ui/LevelDot.tsx';
import { Panel } from '../../../../ui/Panel.tsx';
import { accuracyQuery } from '../reading-needs.api.ts';
import type { AccuracyScope } from '../model/accuracy-scope.ts';
import css from './AccuracyEvidence.module.css';

interface Props {
  pupilId: number;
  classId: string | undefined;
  range: DayRange;
  scope: AccuracyScope;
}

const INITIAL_ROW_COUNT = 8;

/** An accuracy that another page links to, with the sessions it is made of. */
export function AccuracyEvidence({ pupilId, classId, range, scope }: Props) {
  const [isAll, setAll] = useState(false);
  const found = useQuery({
    ...accuracyQuery(useSchoolId(), pupilId, range, scope),
    placeholderData: keepPreviousData,
  });
  const evidence = found.data;
  const name = scope === 'all' ? 'All levels' : `Level ${scope}`;
  if (!evidence) return found.error && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />;
  const shown = isAll ? evidence.sessions : evidence.sessions.slice(0, INITIAL_ROW_COUNT);
  return (
    <Panel
      id="accuracy-evidence"
      title={`${name}: ${formatAccuracy(evidence.accuracy)}`}
      help="Accuracy is the share of attempted words that were read correctly. It counts every word of these sessions once."
      isStale={found.isPlaceholderData}
    >
      <p className="flat below-m">
        Accuracy, {rangeInWords(range)}
        {scope === 'all' ? '' : `, at level ${scope}`}: {formatNumber(evidence.words_correct)} of{' '}
        {count(evidence.words_attempted, 'word')} read correctly in {count(evidence.sessions.length, 'session')}.{' '}
        <Link to={paths.pupil(pupilId, classId, { from: range.from, to: range.to })}>Hide this figure</Link>
      </p>
      {shown.length > 0 && (
        <table className={css.sessions}>
          <thead>
            <tr>
              <th scope="col">Date</th>
              <th scope="col">Book</th>
              <th scope="col">Level</th>
              <th scope="col">Words correct</th>
              <th scope="col">Accuracy</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ id, date, book_id, book_title, reading_level, words_correct, words_attempted }) => (
              <tr key={id}>
                <td>
                  <time dateTime={date}>{formatDate(date)}</time>
                </td>
                <td>
                  <Link to={paths.pupilBook(pupilId, book_id, { rid: id })}>{book_title}</Link>
                </td>
                <td>
                  <LevelDot level={reading_level} />
                </td>
                <td>
                  {formatNumber(words_correct)} of {formatNumber(words_attempted)}
                </td>
                <td>{formatAccuracy(calculateAccuracy(words_correct, words_attempted))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {shown.length < evidence.sessions.length && (
        <Button className="flush no-print above-m" variant="subtle" onClick={() => setAll(true)}>
          Show all {count(evidence.sessions.length, 'session')}
        </Button>
      )}
    </Panel>
  );
}
