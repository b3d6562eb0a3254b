import type { LowestFifthPupil } from '#contract/calls/lowest-fifth.ts';
import { paths } from '../../../../paths.ts';
import { count, formatAccuracy } from '../../../../shared/format.ts';
import type { Column } from '../../../../ui/DataTable.tsx';
import { Link } from '../../../../ui/Link.tsx';
import { describeResponse, minutes } from '../../reading-needs/reading-needs.public.ts';
import { describeChanges } from '../model/change-words.ts';
import css from '../LowestFifthPage.module.css';

/** @param nameOf names a member of staff */
export const fifthColumns = (nameOf: (userId: number) => string): Column<LowestFifthPupil>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ id, name, group: schoolClass }) => (
      <>
        <Link to={paths.pupil(id, schoolClass?.id)}>{name}</Link>
        <span className="soft small light block">{schoolClass?.name ?? 'No class'}</span>
      </>
    ),
  },
  { id: 'level', header: 'Level', align: 'end', isOneLine: true, cell: ({ reading_level }) => reading_level },
  {
    id: 'accuracy',
    header: 'Accuracy',
    align: 'end',
    isOneLine: true,
    cell: ({ accuracy }) => formatAccuracy(accuracy),
  },
  {
    id: 'minutes',
    header: 'Minutes a week',
    align: 'end',
    isOneLine: true,
    cell: ({ reading_time_a_week: time }) => (time === null ? '–' : minutes(time)),
  },
  { id: 'gets', header: 'What they get', cell: (pupil) => <WhatTheyGet pupil={pupil} nameOf={nameOf} /> },
  {
    id: 'changed',
    header: 'What changed',
    isOneLine: true,
    cell: (pupil) => (
      <ul className={css.lines}>
        {describeChanges(pupil).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    ),
  },
];

const WhatTheyGet = ({
  pupil: { responses, books },
  nameOf,
}: {
  pupil: LowestFifthPupil;
  nameOf: (userId: number) => string;
}) => (
  <ul className={css.lines}>
    {responses.map((response) => (
      <li key={response.id}>
        {describeResponse(response, nameOf)} <span className="soft">({response.reason})</span>
      </li>
    ))}
    <li>{books === 0 ? 'No books of their own' : `${count(books, 'book')} of their own`}</li>
  </ul>
);
