import { Button } from './Button.tsx';
import { type ReactNode, useState } from 'react';
import { useNavigate } from '../shared/router.ts';
import { paths } from '../paths.ts';
import { useIsSupplyTeacher } from '../shared/use-is-supply-teacher.ts';
import { lazyDialog } from './lazy-dialog.tsx';

const LogOutDialog = lazyDialog(async () => (await import('./LogOutDialog.tsx')).LogOutDialog);

interface Props {
  /** With a submit button. */
  children: ReactNode;
  /** Replaces going to the page that logs out. */
  onSubmit?: () => void;
}

/** Logs out, after a question to a supply teacher. Without the app the browser posts the form to the server (pages/log-out.ts). */
export function LogOutForm({ children, onSubmit }: Props) {
  const navigate = useNavigate();
  const isSupply = useIsSupplyTeacher();
  const endsAccess = isSupply && !onSubmit;
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <form
        method="post"
        action={paths.logout()}
        style={{ display: 'contents' }}
        onSubmit={(event) => {
          event.preventDefault();
          if (onSubmit) onSubmit();
          else if (endsAccess) setAsking(true);
          else void navigate(paths.logout());
        }}
      >
        {children}
      </form>
      {endsAccess && <LogOutDialog isOpen={isAsking} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Logs out; the second button beside what the page is for. */
export const LogOutButton = () => (
  <LogOutForm>
    <Button type="submit" variant="default">
      Log out
    </Button>
  </LogOutForm>
);

/** Logs out; looks like a link. */
export const LogOutLink = ({ text = 'Log out' }: { text?: string }) => (
  <LogOutForm>
    <button type="submit" className="like-link">
      {text}
    </button>
  </LogOutForm>
);
