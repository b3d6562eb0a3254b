import { useNavigate } from '../shared/router.ts';
import { paths } from '../paths.ts';
import { Confirm } from './Confirm.tsx';

/** Asks a supply teacher before they log out, because their code works once. */
export function LogOutDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title="Log out and end your access?"
      action="Log out"
      cancel="Stay logged in"
      prefersCancel
      onConfirm={async () => {
        await navigate(paths.logout());
      }}
    >
      <p>Your code cannot be used again. To log in again you need a new card from the school.</p>
    </Confirm>
  );
}
