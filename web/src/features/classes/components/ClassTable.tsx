import type { Class } from '#contract/calls/school.ts';
import { useMemo, type ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../paths.ts';
import { formatNumber } from '../../../shared/format.ts';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { DisabledReasonButton } from '../../../ui/DisabledReasonButton.tsx';
import css from './ClassTable.module.css';

interface Props {
  classes: readonly Class[] | undefined;
  onDelete: (schoolClass: Class) => void;
  empty: ReactNode;
  failure: ReactNode;
}

/** The classes with their teachers and counts, and what can be done with each. */
export function ClassTable({ classes, onDelete, empty, failure }: Props) {
  const columns = useMemo(
    (): Column<Class>[] => [
      {
        id: 'name',
        header: 'Class',
        cell: ({ id, name }) => (
          <Link to={paths.classPage(id)} className={css.link}>
            {name}
          </Link>
        ),
      },
      {
        id: 'teacher',
        header: 'Teacher',
        cell: ({ manager }) =>
          manager ? `${manager.first_name} ${manager.last_name}` : <span className={css.none}>No teacher</span>,
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
      {
        id: 'actions',
        header: 'Actions',
        isHeaderHidden: true,
        align: 'end',
        cell: (schoolClass) => <RowActions schoolClass={schoolClass} onDelete={onDelete} />,
      },
    ],
    [onDelete],
  );
  return (
    <DataTable
      label="Classes"
      columns={columns}
      rows={classes}
      rowKey={({ id }) => id}
      noun={['class', 'classes']}
      empty={empty}
      failure={failure}
    />
  );
}

function RowActions({ schoolClass, onDelete }: { schoolClass: Class; onDelete: (schoolClass: Class) => void }) {
  const { id, name, user_manages } = schoolClass;
  return (
    <div className={css.actions}>
      <Link to={paths.classBooks(id)} aria-label={`Manage books of ${name}`}>
        Manage books
      </Link>
      <Link to={paths.classPage(id)} aria-label={`Manage class ${name}`}>
        Manage class
      </Link>
      <DisabledReasonButton
        variant="subtle"
        color="brick"
        size="compact-md"
        side="above"
        aria-label={`Delete ${name}`}
        disabledReason={user_manages ? undefined : 'You do not manage this class.'}
        onClick={() => onDelete(schoolClass)}
      >
        Delete
      </DisabledReasonButton>
    </div>
  );
}
