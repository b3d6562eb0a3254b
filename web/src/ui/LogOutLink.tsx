import { LogOutForm } from './LogOutForm.tsx';
import css from './LogOutForm.module.css';

/** Logs out; looks like a link. */
export const LogOutLink = ({ text = 'Log out' }: { text?: string }) => (
  <LogOutForm>
    <button type="submit" className={css.link}>
      {text}
    </button>
  </LogOutForm>
);
