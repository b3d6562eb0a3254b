import { IconCheck, IconMinus } from '@tabler/icons-react';
import { ASSIGNABLE_ROLES, ROLE_TEXTS } from '#contract/permissions.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import css from './PermissionsDialog.module.css';

/** What each role may do, as admins see it. */
interface PermissionLine {
  action: string;
  /** `own`: for the teacher’s own classes. */
  teacher: 'no' | 'yes' | 'own';
}

const PERMISSION_LINES: readonly PermissionLine[] = [
  { action: 'Add Teacher', teacher: 'no' },
  { action: 'Delete Teacher', teacher: 'no' },
  { action: 'Delete Pupils from School', teacher: 'no' },
  { action: 'Promote to Admin', teacher: 'no' },
  { action: 'Demote from Admin', teacher: 'no' },
  { action: 'Add Pupils to School', teacher: 'yes' },
  { action: 'Create Class', teacher: 'yes' },
  { action: 'Delete Class', teacher: 'own' },
  { action: 'Add/Remove Pupils to/from Class', teacher: 'own' },
  { action: 'Move Pupils', teacher: 'own' },
  { action: 'Assign/Remove Books to/from Class and Pupils', teacher: 'own' },
  { action: 'Reset Passwords', teacher: 'own' },
  { action: 'Assign/Remove Teacher to/from Class', teacher: 'own' },
  { action: 'Edit Account Details', teacher: 'yes' },
];

const Yes = () => <IconCheck size={20} role="img" aria-label="Yes" className={css.yes} />;
const No = () => <IconMinus size={20} role="img" aria-label="No" className="soft" />;

const OTHER_ROLES = ASSIGNABLE_ROLES.filter((role) => role !== 'admin' && role !== 'teacher');

/** What admins and teachers may do, and what the other roles are for. */
export function PermissionsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Permissions" size="lg">
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">Action</th>
            <th scope="col">Admin</th>
            <th scope="col">Teacher</th>
          </tr>
        </thead>
        <tbody>
          {PERMISSION_LINES.map(({ action, teacher }) => (
            <tr key={action}>
              <th scope="row">{action}</th>
              <td>
                <Yes />
              </td>
              <td>
                {teacher === 'no' ? <No /> : <Yes />}
                {teacher === 'own' && <span className={`soft small ${css.own}`}>own classes only</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <section className="above-2xl" aria-labelledby="other-roles">
        <h3 id="other-roles">Other roles</h3>
        <dl>
          {OTHER_ROLES.map((role) => (
            <div key={role} className="above-m">
              <dt className={`strong ${css.role}`}>{ROLE_TEXTS[role].name}</dt>
              <dd className="flat">{ROLE_TEXTS[role].summary}</dd>
            </div>
          ))}
        </dl>
      </section>
    </Dialog>
  );
}
