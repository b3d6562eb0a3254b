import { useNavigation } from '../shared/router.ts';
import { AboveDialogs } from '../ui/AboveDialogs.tsx';
import css from './LoadingBar.module.css';

/** Runs along the top while the next page loads. A page that loads at once does not show it. */
export function LoadingBar() {
  const { state } = useNavigation();
  if (state === 'idle') return null;
  return (
    <AboveDialogs>
      <div role="status">
        <div className={css.bar} role="progressbar" aria-label="Loading" />
      </div>
    </AboveDialogs>
  );
}
