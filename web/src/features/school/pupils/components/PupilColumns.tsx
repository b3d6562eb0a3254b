import type { Pupil } from '#contract/calls/pupils.ts';
import { formatYearGroup, yearGroupOfClass } from '#contract/year-group.ts';
import type { ReactNode } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import { paths } from '../../../../paths.ts';
import { canRenewLogin, type Member } from '../../../../shared/can.ts';
import { formatShortDate } from '../../../../shared/format.ts';
import { dayOf, today } from '../../../../shared/school-day.ts';
import { MenuButton, MenuLink } from '../../../../ui/ActionMenu.tsx';
import type { Column, RowModel } from '../../../../ui/DataTable.tsx';
import { Chip } from '../../../../ui/Chip.tsx';
import { ClassLink } from '../../school/school.public.ts';
import { NewMark } from '../../../records/pupil-import/pupil-import.public.ts';
import { pastDay } from '../../../reading/reading-needs/reading-needs.public.ts';
import type { PupilRow } from '../model/pupils-table.ts';
import css from '../PupilsPage.module.css';

/** A column of the list of pupils, and its value in the CSV file of the selected pupils. */
interface PupilColumn extends Column<PupilRow> {
  csv: (pupil: Pupil) => string;
}

export const pupilColumns: PupilColumn[] = [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    cell: ({ id, name, tags }) => (
      <>
        <Link to={paths.pupil(id)} className="row-link">
          {name}
        </Link>
        <NewMark pupilId={id} />
        {tags.length > 0 && (
          <span className={`${css.tags} no-print`}>
            {tags.map((tag) => (
              <Chip key={tag}>{tag}</Chip>
            ))}
          </span>
        )}
      </>
    ),
    csv: ({ name }) => name,
  },
  {
    id: 'username',
    header: 'Username',
    sort: 'username',
    cell: ({ username }) => username,
    csv: ({ username }) => username,
  },
  {
    id: 'class',
    header: 'Class',
    sort: 'group',
    cell: ({ group: currentClass, year_group: code }) => (
      <>
        {currentClass ? (
          <ClassLink schoolClass={currentClass} className="row-link" />
        ) : (
          <span className="soft">No class</span>
        )}
        {/* A column of its own would leave no room for the table on a tablet. */}
        {code && code !== yearGroupOfClass(currentClass?.name ?? '') && (
          <span className="soft small block">{formatYearGroup(code)}</span>
        )}
      </>
    ),
    csv: ({ group: currentClass }) => currentClass?.name ?? '',
  },
  {
    id: 'last-read',
    header: 'Last read',
    sort: 'last_read_at',
    sortWords: ['longest ago first', 'latest first'],
    isOneLine: true,
    cell: ({ last_read_at }) =>
      last_read_at ? pastDay(dayOf(last_read_at), today()) : <span className="soft">{pastDay(null, today())}</span>,
    csv: ({ last_read_at }) => (last_read_at ? formatShortDate(last_read_at) : ''),
  },
];

/** An action chosen in the menu of a pupil's row. */
export interface PupilAction {
  kind: 'reset password' | 'delete';
  pupil: Pupil;
}

/** Rows of a closed school. */
export const readOnlyRowModel: RowModel<Pupil, PupilAction> = { key: ({ id }) => id, name: ({ name }) => name };

/** Rows of the list, with the actions that the user has for each. `isAdmin`: the user may delete pupils. */
export const pupilRowModel = (user: Member, isAdmin: boolean): RowModel<Pupil, PupilAction> => ({
  ...readOnlyRowModel,
  menu: (pupil, act) => renderMenu(pupil, canRenewLogin(user, pupil), isAdmin, act),
});

function renderMenu(pupil: Pupil, canRenew: boolean, isAdmin: boolean, act: (action: PupilAction) => void): ReactNode {
  const { id, name } = pupil;
  if (!canRenew && !isAdmin) return null;
  return (
    <>
      {canRenew && (
        <MenuButton label={`Reset password of ${name}`} onClick={() => act({ kind: 'reset password', pupil })}>
          Reset password
        </MenuButton>
      )}
      {isAdmin && (
        <>
          <MenuLink to={paths.pupilBooks(id)} label={`Manage books of ${name}`}>
            Manage books
          </MenuLink>
          <MenuButton label={`Delete ${name}`} onClick={() => act({ kind: 'delete', pupil })}>
            Delete
          </MenuButton>
        </>
      )}
    </>
  );
}
