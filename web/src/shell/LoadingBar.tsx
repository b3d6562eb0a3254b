import { useNavigation } from '../shared/router.ts';
import { AboveDialogs } from '../ui/AboveDialogs.tsx';
import { useLoadingAnnouncement } from '../ui/use-announcement.ts';
import css from './LoadingBar.module.css';

/** Runs along the top while the next page loads. A page that loads at once does not show it. */
export function LoadingBar() {
  const { state } = useNavigation();
  const isLoading = state !== 'idle';
  useLoadingAnnouncement(isLoading, 'Loading');
  if (!isLoading) return null;
  return (
    <AboveDialogs>
      {/* The announcement is for screen readers. */}
      <div className={css.bar} role="progressbar" aria-hidden />
    </AboveDialogs>
  );
}
