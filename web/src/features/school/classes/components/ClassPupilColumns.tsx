import type { ClassWithPupils } from '#contract/calls/classes.ts';
import { Link } from '../../../../ui/Link.tsx';
import { paths } from '../../../../paths.ts';
import { MenuButton, MenuLink } from '../../../../ui/ActionMenu.tsx';
import type { Column, RowModel } from '../../../../ui/DataTable.tsx';
import { NewMark } from '../../../records/pupil-import/pupil-import.public.ts';

export type ClassPupil = ClassWithPupils['readers'][number];

/**
 * Columns of the pupils of one class.
 * @param reading columns that say how the pupils read; without any the pupils come by name
 */
export const classPupilColumns = (
  classId: number,
  reading: readonly Column<{ id: number }>[],
): Column<ClassPupil>[] => [
  {
    id: 'name',
    header: 'Name',
    ...(reading.length > 0 && { sort: 'name' }),
    cell: ({ id, name }) => (
      <>
        <Link to={paths.pupil(id, classId)} className="row-link">
          {name}
        </Link>
        <NewMark pupilId={id} />
      </>
    ),
  },
  ...reading,
  {
    id: 'username',
    header: 'Username',
    // Breaks after a hyphen only if it is long, because other columns are narrow too.
    cell: ({ username }) => <span className={username.length > 20 ? '' : 'nowrap'}>{username}</span>,
  },
];

/** Rows of a class's pupils. The action of a row is the pupil to remove from the class. */
export const classPupilRowModel = (
  classId: number,
  rights: Pick<MenuOptions, 'canRemove' | 'canAssign'>,
): RowModel<ClassPupil, ClassPupil> => ({
  key: ({ id }) => id,
  name: ({ name }) => name,
  menu: (pupil, onRemove) => <ClassPupilMenu classId={classId} pupil={pupil} {...rights} onRemove={onRemove} />,
});

interface MenuOptions {
  classId: number;
  pupil: ClassPupil;
  /** The user can remove the pupil from the class, and undo it. */
  canRemove: boolean;
  /** The user can assign books to the pupils of the class. */
  canAssign: boolean;
  onRemove: (pupil: ClassPupil) => void;
}

/** What can be done with a pupil of the class. */
const ClassPupilMenu = ({ classId, pupil, canRemove, canAssign, onRemove }: MenuOptions) => (
  <>
    <MenuLink
      to={paths.pupilBooks(pupil.id, classId)}
      label={`${canAssign ? 'Manage books' : 'Books'} of ${pupil.name}`}
    >
      {canAssign ? 'Manage books' : 'Books'}
    </MenuLink>
    {canRemove && (
      <MenuButton label={`Remove from class: ${pupil.name}`} onClick={() => onRemove(pupil)}>
        Remove from class
      </MenuButton>
    )}
  </>
);
