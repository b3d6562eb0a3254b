import type { ReactNode } from 'react';
import { Brand } from './Brand.tsx';
import css from './GuestLayout.module.css';

/** A page with only the product's name, without links: for errors outside the portal's own screens. */
export const PlainPage = ({ children }: { children: ReactNode }) => (
  <div className={css.frame}>
    <header className={css.header}>
      <span className={`tall ${css.home}`}>
        <Brand />
      </span>
    </header>
    <main id="content" className={`sheet ${css.content}`}>
      {children}
    </main>
  </div>
);
