import type { Class } from '#contract/calls/school.ts';
import { formatYearGroups, yearGroupOfClass } from '#contract/year-group.ts';
import type { ReactNode } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import { paths } from '../../../../paths.ts';
import { can, canAssignBooks } from '../../../../shared/can.ts';
import { formatNumber, fullName, listInWords } from '../../../../shared/format.ts';
import { useUser } from '../../../../shared/session.ts';
import { MenuButton, MenuLink } from '../../../../ui/ActionMenu.tsx';
import { DataTable, type Column, type RowModel } from '../../../../ui/DataTable.tsx';
import { ownCoverText } from '../../covers/covers.public.ts';
import { useCanChange } from '../../school/school.public.ts';

const COLUMNS: Column<Class>[] = [
  {
    id: 'name',
    header: 'Class',
    cell: ({ id, name, year_groups: yearGroups }) => (
      <>
        <Link to={paths.classPage(id)} className="row-link">
          {name}
        </Link>
        {yearGroups.some((code) => code !== yearGroupOfClass(name)) && (
          <span className="soft small block">{formatYearGroups(yearGroups)}</span>
        )}
        <OwnCover classId={id} />
      </>
    ),
  },
  {
    id: 'teacher',
    header: 'Teacher',
    cell: ({ teachers }) =>
      teachers.length > 0 ? listInWords(teachers.map(fullName)) : <span className="soft">No teacher</span>,
  },
  {
    id: 'pupils',
    header: 'Pupils',
    align: 'end',
    cell: ({ readers_count: pupilCount }) => formatNumber(pupilCount),
  },
  {
    id: 'books',
    header: 'Books',
    align: 'end',
    cell: ({ assigned_book_count }) => formatNumber(assigned_book_count),
  },
];

const ROW_MODEL: RowModel<Class, Class> = {
  key: ({ id }) => id,
  name: ({ name }) => name,
  menu: (schoolClass, onDelete) => <ClassMenu schoolClass={schoolClass} onDelete={onDelete} />,
};

interface Props {
  classes: readonly Class[] | undefined;
  onDelete: (schoolClass: Class) => void;
  empty: ReactNode;
  failure: ReactNode;
}

/** The classes with their teachers and counts, and what can be done with each. */
export function ClassTable({ classes, onDelete, empty, failure }: Props) {
  return (
    <DataTable
      label="Classes"
      columns={COLUMNS}
      rows={classes}
      rowModel={ROW_MODEL}
      onRowAction={onDelete}
      noun={['class', 'classes']}
      empty={empty}
      failure={failure}
    />
  );
}

/** Whether, and until when, the user covers a class. */
function OwnCover({ classId }: { classId: number }) {
  const text = ownCoverText(useUser(), classId);
  return text && <span className="soft small light block">{text}</span>;
}

function ClassMenu({ schoolClass, onDelete }: { schoolClass: Class; onDelete: (schoolClass: Class) => void }) {
  const { id, name } = schoolClass;
  const user = useUser();
  const isOpen = useCanChange();
  const isManaged = can(user, 'manage_classes');
  const canChange = isOpen && schoolClass.user_manages;
  return (
    <>
      <MenuLink to={paths.classPage(id)} label={`${isManaged ? 'Manage' : 'Open'} class ${name}`}>
        {isManaged ? 'Manage class' : 'Open class'}
      </MenuLink>
      {isOpen && canAssignBooks(user, schoolClass.user_manages) && (
        <MenuLink to={paths.classBooks(id)} label={`Manage books of ${name}`}>
          Manage books
        </MenuLink>
      )}
      {canChange && (
        <MenuButton label={`Delete ${name}`} onClick={() => onDelete(schoolClass)}>
          Delete
        </MenuButton>
      )}
    </>
  );
}
