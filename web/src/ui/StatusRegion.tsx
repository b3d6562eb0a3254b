import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { type Announcement, getAnnouncements, onAnnouncements } from '../shared/announcements.ts';
import { Toasts } from './Toasts.tsx';
import css from './Toasts.module.css';
import { useTopDialog } from './top-dialog.ts';

/** What the server renders. */
const NOTHING: readonly Announcement[] = [];

/** Only what is added is read. A region that is added together with its text would not be. */
const REGION = {
  className: `${css.toasts} no-print`,
  role: 'status',
  'aria-live': 'polite',
  'aria-atomic': false,
} as const;

/** The status region of a modal dialog, which disables the one of the page. Every `dialog` needs one. */
export const DialogStatusRegion = () => <div {...REGION} />;

/** The only live region of the page: shows the toasts, and has screen readers read out the announcements. Use once per page. */
export function StatusRegion() {
  const announcements = useSyncExternalStore(onAnnouncements, getAnnouncements, () => NOTHING);
  const ofDialog = useTopDialog()?.querySelector('[role="status"]');
  const content = (
    <>
      <Toasts />
      {announcements.map(({ id, text }) => (
        <p key={id} className="visually-hidden">
          {text}
        </p>
      ))}
    </>
  );
  return <div {...REGION}>{ofDialog ? createPortal(content, ofDialog) : content}</div>;
}
