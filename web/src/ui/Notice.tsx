import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { announce } from '../shared/announcements.ts';
import css from './Notice.module.css';

const KINDS = {
  info: { icon: IconInfoCircle, said: 'Note' },
  success: { icon: IconCircleCheck, said: 'Done' },
  warning: { icon: IconAlertTriangle, said: 'Please note' },
  error: { icon: IconAlertTriangle, said: 'Problem' },
} as const;

interface Props {
  kind?: keyof typeof KINDS;
  title?: string;
  children?: ReactNode;
  /** A button or link that helps on. */
  action?: ReactNode;
  /** It appears because of what the user did, so it is announced. */
  isOutcome?: boolean;
}

/** A message that stays on the page. */
export function Notice({ kind = 'info', title, children, action, isOutcome = false }: Props) {
  const { icon: Icon, said } = KINDS[kind];
  const text = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const outcome = isOutcome && (title ?? text.current?.textContent);
    if (outcome) announce(outcome);
  }, [isOutcome, title]);
  return (
    <div className={`${css.notice} ${css[kind]}`} {...(kind === 'error' && { role: 'alert' })}>
      <Icon size={22} aria-label={said} role="img" className={css.icon} />
      {/* The script of a page without the app looks for the attribute. */}
      <div className={css.text} ref={text} data-outcome={isOutcome || undefined}>
        {title && <strong>{title}</strong>}
        {children && <div>{children}</div>}
      </div>
      {action && <div className={`cluster ${css.action}`}>{action}</div>}
    </div>
  );
}
