import { Button } from './Button.tsx';
import type { ReactNode } from 'react';
import { useNavigate } from '../shared/router.ts';
import { paths } from '../paths.ts';

interface Props {
  /** With a submit button. */
  children: ReactNode;
  /** Replaces going to the page that logs out. */
  onSubmit?: () => void;
}

/** Logs out. Without the app the browser posts the form to the server (pages/log-out.ts). */
export function LogOutForm({ children, onSubmit }: Props) {
  const navigate = useNavigate();
  return (
    <form
      method="post"
      action={paths.logout()}
      style={{ display: 'contents' }}
      onSubmit={(event) => {
        event.preventDefault();
        if (onSubmit) onSubmit();
        else void navigate(paths.logout());
      }}
    >
      {children}
    </form>
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
