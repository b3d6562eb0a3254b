import type { ClassWithPupils } from '#contract/calls/classes.ts';
import { Link } from 'react-router';
import { paths } from '../../../paths.ts';
import { MenuButton, MenuLink } from '../../../ui/ActionMenu.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import css from './ClassTable.module.css';

export type ClassPupil = ClassWithPupils['readers'][number];

/** Columns of the pupils of one class. */
export const classPupilColumns = (classId: number): Column<ClassPupil>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ id, name }) => (
      <Link to={paths.pupil(id, classId)} className={css.link}>
        {name}
      </Link>
    ),
  },
  { id: 'username', header: 'Username', isOneLine: true, cell: ({ username }) => username },
];

interface MenuOptions {
  classId: number;
  pupil: ClassPupil;
  /** The person manages the class. */
  isOwn: boolean;
  onRemove: (pupil: ClassPupil) => void;
}

/** What can be done with a pupil of the class. */
export const ClassPupilMenu = ({ classId, pupil, isOwn, onRemove }: MenuOptions) => (
  <>
    <MenuLink to={paths.pupilBooks(pupil.id, classId)} label={`Manage books of ${pupil.name}`}>
      Manage books
    </MenuLink>
    {isOwn && (
      <MenuButton label={`Remove from class: ${pupil.name}`} onClick={() => onRemove(pupil)}>
        Remove from class
      </MenuButton>
    )}
  </>
);
