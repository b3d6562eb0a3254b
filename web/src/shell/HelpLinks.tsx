import sections from '#content/help/contents.json?screens';
import { IconDownload, IconHelpCircle } from '@tabler/icons-react';
import { Link } from '../ui/Link.tsx';
import { staticFile } from '../shared/product.ts';
import css from './Header.module.css';

const USER_GUIDE = staticFile('user-guide.pdf') ?? '/v1/user-guide.pdf';

/** Links to the guide's section about the screen, and to the whole guide as a PDF. */
export function HelpLinks({ screen }: { screen: string | undefined }) {
  const section = screen === undefined ? undefined : sections[screen];
  return (
    <div className={`small ${css.links}`}>
      {section && (
        <Link to={section} className={css.tool}>
          <IconHelpCircle size={19} aria-hidden />
          <span>Help with this page</span>
        </Link>
      )}
      <a href={USER_GUIDE} download className={css.tool} aria-label="Download the user guide (PDF)">
        <IconDownload size={19} aria-hidden />
        <span>User guide</span>
      </a>
    </div>
  );
}
