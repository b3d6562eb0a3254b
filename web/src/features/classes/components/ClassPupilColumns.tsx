import type { ClassWithPupils } from '#contract/calls/classes.ts';
import { Link } from 'react-router';
import { paths } from '../../../paths.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { DisabledReasonButton } from '../../../ui/DisabledReasonButton.tsx';
import css from './ClassTable.module.css';

export type ClassPupil = ClassWithPupils['readers'][number];

interface Options {
  classId: number;
  /** The person manages the class. */
  isOwn: boolean;
  onRemove: (pupil: ClassPupil) => void;
  /** Id of the pupil whose removal is on its way. */
  pendingId: number | null;
}

/** Columns of the pupils of one class. */
export const classPupilColumns = ({ classId, isOwn, onRemove, pendingId }: Options): Column<ClassPupil>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ id, name }) => (
      <Link to={paths.pupil(id, classId)} className={css.link}>
        {name}
      </Link>
    ),
  },
  { id: 'username', header: 'Username', cell: ({ username }) => username },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    cell: (pupil) => (
      <div className={css.actions}>
        <Link to={paths.pupilBooks(pupil.id, classId)} aria-label={`Manage books of ${pupil.name}`}>
          Manage books
        </Link>
        <DisabledReasonButton
          variant="subtle"
          color="brick"
          size="compact-md"
          side="above"
          aria-label={`Remove from class: ${pupil.name}`}
          disabledReason={isOwn ? undefined : 'You do not manage this class.'}
          loading={pendingId === pupil.id}
          onClick={() => onRemove(pupil)}
        >
          Remove from class
        </DisabledReasonButton>
      </div>
    ),
  },
];
