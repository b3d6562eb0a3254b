import { IconCheck, IconMinus } from '@tabler/icons-react';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { PERMISSION_LINES } from '../model/permissions.ts';
import css from './PermissionsDialog.module.css';

const Yes = () => <IconCheck size={20} role="img" aria-label="Yes" className={css.yes} />;
const No = () => <IconMinus size={20} role="img" aria-label="No" className={css.no} />;

/** What admins and teachers may do. */
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
                {teacher === 'own' && <span className={css.own}>own classes only</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
