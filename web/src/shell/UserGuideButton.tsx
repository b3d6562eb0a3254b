import { USER_GUIDE_PDF } from '../paths.ts';
import css from './UserGuideButton.module.css';

/** Downloads the user guide. */
export function UserGuideButton() {
  if (!USER_GUIDE_PDF) return null;
  return (
    <a href={USER_GUIDE_PDF} download className={css.link}>
      Download the user guide (PDF)
    </a>
  );
}
