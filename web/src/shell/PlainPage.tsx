import type { ReactNode } from 'react';
import { Brand } from './Brand.tsx';
import css from './GuestLayout.module.css';

/** A page that stands alone, under the product's name and without a link: for what goes wrong before or around the portal. */
export const PlainPage = ({ children }: { children: ReactNode }) => (
  <div className={css.frame}>
    <header className={css.header}>
      <span className={css.home}>
        <Brand />
      </span>
    </header>
    <main id="content" className={css.content}>
      {children}
    </main>
  </div>
);
