import { useNavigation } from 'react-router';
import css from './LoadingBar.module.css';

/** Runs along the top while the next page is on its way; one that comes at once does not show it. */
export function LoadingBar() {
  const { state } = useNavigation();
  return state === 'idle' ? null : <div className={css.bar} role="progressbar" aria-label="Loading" />;
}
