import type { ReactNode } from 'react';
import { Sticky } from './Sticky.tsx';
import css from './StickyFoot.module.css';

/** What a long page comes to, and the buttons for it, in view below whatever part is on the screen. */
export const StickyFoot = ({ children }: { children: ReactNode }) => (
  <Sticky edge="bar" className={`row spread ${css.foot}`}>
    {children}
  </Sticky>
);
