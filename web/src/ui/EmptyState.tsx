import type { ReactNode } from 'react';
import { LarkMark } from './LarkMark.tsx';
import css from './EmptyState.module.css';

/** What will be here, and the step that brings it. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={`stack-m ${css.empty}`}>
      <LarkMark className={css.lark} size={56} />
      <p className="strong large">{title}</p>
      {children && <div className={`soft ${css.text}`}>{children}</div>}
      {action}
    </div>
  );
}
