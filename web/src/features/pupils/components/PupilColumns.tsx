import type { Pupil } from '#contract/calls/pupils.ts';
import { Link } from 'react-router';
import { paths } from '../../../paths.ts';
import { formatDate } from '../../../shared/format.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import css from './PupilColumns.module.css';

/** Columns of the pupils list. Row actions are for administrators. */
export const pupilColumns = ({
  isAdmin,
  onNewCard,
  onDelete,
}: {
  isAdmin: boolean;
  onNewCard: (pupil: Pupil) => void;
  onDelete: (pupil: Pupil) => void;
}): Column<Pupil>[] => [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    cell: ({ id, name }) => (
      <Link to={paths.pupil(id)} className={css.link}>
        {name}
      </Link>
    ),
  },
  { id: 'username', header: 'Username', sort: 'username', cell: ({ username }) => username },
  {
    id: 'class',
    header: 'Class',
    sort: 'group',
    cell: ({ group: currentClass }) =>
      currentClass ? (
        <Link to={paths.classPage(currentClass.id)} className={css.link}>
          {currentClass.name}
        </Link>
      ) : (
        <span className={css.none}>No class</span>
      ),
  },
  {
    id: 'last-read',
    header: 'Last read',
    sort: 'last_read_at',
    sortWords: ['earliest first', 'latest first'],
    cell: ({ last_read_at }) => (last_read_at ? formatDate(last_read_at) : <span className={css.none}>Not yet</span>),
  },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end' as const,
    cell: (pupil: Pupil) => (
      <div className={css.actions}>
        {/* Of the page's own kind: a hundred of the library's buttons take an old tablet half a second. */}
        {pupil.can_update && (
          <button
            type="button"
            className={css.action}
            aria-label={`New login card for ${pupil.name}`}
            onClick={() => onNewCard(pupil)}
          >
            New login card
          </button>
        )}
        {isAdmin && (
          <>
            <Link to={paths.pupilBooks(pupil.id)} className={css.action} aria-label={`Manage books of ${pupil.name}`}>
              Manage books
            </Link>
            <button
              type="button"
              className={css.delete}
              aria-label={`Delete ${pupil.name}`}
              onClick={() => onDelete(pupil)}
            >
              Delete
            </button>
          </>
        )}
      </div>
    ),
  },
];
