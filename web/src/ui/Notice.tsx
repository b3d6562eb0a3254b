import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
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
}

/** A message that stays on the page. Errors are announced at once, the rest when there is time. */
export function Notice({ kind = 'info', title, children, action }: Props) {
  const { icon: Icon, said } = KINDS[kind];
  return (
    <div className={`${css.notice} ${css[kind]}`} role={kind === 'error' ? 'alert' : 'status'}>
      <Icon size={22} aria-label={said} role="img" className={css.icon} />
      <div className={css.text}>
        {title && <strong>{title}</strong>}
        {children && <div>{children}</div>}
      </div>
      {action && <div className={`cluster ${css.action}`}>{action}</div>}
    </div>
  );
}
